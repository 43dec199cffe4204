"""A figure: what was measured, how, what is aimed at, and the single values behind it.

Counterparts: every other file here gives some, `main` prints and writes them.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final, cast


class Better(Enum):
    """Which side of its aim a figure is to be on."""

    HIGHER = "at least"
    LOWER = "at most"


@dataclass(frozen=True, slots=True)
class Figure:
    """`part` is the key within `name` where that holds several; `values` are what it is made of.

    A dot in `name` leads into an object of that name. `value` None: not measured; `how` says why.
    """

    name: str
    value: float | None
    aim: float
    better: Better
    how: str
    part: str | None = None
    values: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def met(self) -> bool:
        """Whether the aim is reached."""
        if self.value is None:
            return False
        return self.value >= self.aim if self.better is Better.HIGHER else self.value <= self.aim

    def __str__(self) -> str:
        name = self.name if self.part is None else f"{self.name} {self.part}"
        if self.value is None:
            return f"{name:28} not measured: {self.how}"
        word = "" if self.met else "   MISSED"
        values = ", ".join(f"{key} {value}" for key, value in self.values.items())
        head = f"{name:28} {self.value:9g}   aim: {self.better.value} {self.aim:g}{word}"
        return "\n".join([head, f"  {self.how}", *([f"  {values}"] if values else [])])


DIGITS: Final = 4


def as_json(figures: Iterable[Figure], machine: Mapping[str, object]) -> dict[str, object]:
    """The object that `--json` writes: each figure by its name; how and values stand aside."""
    found: dict[str, object] = {}
    told: dict[str, object] = {}
    for figure in figures:
        *above, last = [*figure.name.split("."), *([figure.part] if figure.part else [])]
        place = found
        for key in above:
            place = cast("dict[str, object]", place.setdefault(key, {}))
        place[last] = None if figure.value is None else round(figure.value, DIGITS)
        told[".".join([*above, last])] = {
            "how": figure.how,
            "aim": figure.aim,
            "values": dict(figure.values),
        }
    return {**found, "figures": told, "machine": dict(machine)}


def write(path: Path, found: Mapping[str, object]) -> None:
    """Write the object; the file's folder must be there."""
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
