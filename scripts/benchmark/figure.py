"""A figure: what was measured, how, what is aimed at, and the single values behind it.

Counterparts: every other file here gives some, `main` prints and writes them.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final


class Better(Enum):
    """Which side of its aim a figure is to be on."""

    HIGHER = "at least"
    LOWER = "at most"


@dataclass(frozen=True, slots=True)
class Figure:
    """`part` is the key within `name` where that holds several; `values` are what it is made of."""

    name: str
    value: float
    aim: float
    better: Better
    how: str
    part: str | None = None
    values: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def met(self) -> bool:
        """Whether the aim is reached."""
        return self.value >= self.aim if self.better is Better.HIGHER else self.value <= self.aim

    def __str__(self) -> str:
        name = self.name if self.part is None else f"{self.name} {self.part}"
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
        value: object = round(figure.value, DIGITS)
        found[figure.name] = value if figure.part is None else {figure.part: value}
        told[figure.name] = {"how": figure.how, "aim": figure.aim, "values": dict(figure.values)}
    return {**found, "figures": told, "machine": dict(machine)}


def write(path: Path, found: Mapping[str, object]) -> None:
    """Write the object; the file's folder must be there."""
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
