"""The file as text: its values, and the line of each, for messages.

Counterpart: `locator.py` finds the lines, `explain.py` and the verifiers make problems with them.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from killpoint.cli.config.locator import Place, locate
from killpoint.cli.config.problem import ConfigError, Problem, do, why

PYPROJECT: Final = "pyproject.toml"
TOOL: Final = ("tool", "killpoint")
BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Document:
    """A TOML file that was read. Places count from the root, `("source", 0, "topic")`.

    In pyproject.toml the root is the table tool.killpoint, and `prefix` is "tool.killpoint.".
    """

    file: Path
    data: Mapping[str, Any]
    lines: Mapping[Place, int]
    prefix: str = ""

    @property
    def folder(self) -> Path:
        """Where relative paths start and the target runs."""
        return self.file.parent

    def line(self, place: Place) -> int:
        """The line of a place, or of the nearest thing around it that is written down."""
        place = self._written(place)
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def title(self, place: Place) -> str:
        """The table of a place as its header is written: `[target]`, `[[check]]`."""
        return self.header(str(place[0]), isinstance(self.data.get(str(place[0])), list))

    def header(self, key: str, many: bool) -> str:
        """The header of a top-level table, one of many or the only one."""
        name = f"{self.prefix}{key}"
        return f"[[{name}]]" if many else f"[{name}]"

    def problem(self, place: Place, what: str, *hints: str) -> Problem:
        """A problem with a table or a key, named in front of `what`."""
        key = key_path(self._written(place)[1:])
        if place and isinstance(self.data.get(str(place[0])), list) and len(place) > 1:
            key = key_path(place[2:])
        name = " ".join(part for part in (self.title(place), key) if part) if place else ""
        return Problem(f"{name} {what}".strip(), hints, self.file, self.line(place))

    def _written(self, place: Place) -> Place:
        """`[source]` is read as the only one of `[[source]]`, but has no index in the file."""
        if len(place) > 1 and place[1] == 0 and isinstance(self.data.get(str(place[0])), dict):
            return (place[0], *place[2:])
        return place


def key_path(place: Place) -> str:
    """Keys and indexes as a reader of TOML would write them: `faults[0].at`, `env."a b"`."""
    text = ""
    for part in place:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            word = part if BARE_KEY.fullmatch(part) else f'"{part}"'
            text += f".{word}" if text else word
    return text


def read_document(file: Path) -> Document:
    """Read a file, of a pyproject.toml its table tool.killpoint.

    Raises ConfigError if it is unreadable, no TOML (with the line), or has no such table.
    """
    try:
        text = file.read_bytes().decode()
    except OSError as error:
        problem = Problem("cannot be read", (why(error.strerror or str(error)),), file)
        raise ConfigError([problem]) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        remedy = do("save the file as UTF-8")
        raise ConfigError([Problem("is not UTF-8", (remedy,), file, line)]) from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([_syntax_problem(file, text, str(error))]) from error
    if file.name != PYPROJECT:
        return Document(file, data, locate(text))
    return _tool_table(file, data, locate(text))


def _tool_table(file: Path, data: Mapping[str, Any], lines: Mapping[Place, int]) -> Document:
    tool: Any = data.get(TOOL[0])
    found: Any = cast("dict[str, Any]", tool).get(TOOL[1]) if isinstance(tool, dict) else None
    if not isinstance(found, dict):
        remedy = do("add [tool.killpoint.target] and the others, or name another file")
        raise ConfigError([Problem("has no table [tool.killpoint]", (remedy,), file)])
    depth = len(TOOL)
    own = {place[depth:]: line for place, line in lines.items() if place[:depth] == TOOL}
    return Document(file, cast("dict[str, Any]", found), own, ".".join((*TOOL, "")))


def _syntax_problem(file: Path, text: str, message: str) -> Problem:
    """`tomllib` ends its messages with "(at line 3, column 5)" or "(at end of document)"."""
    reason, _, position = message.partition(" (at ")
    found = re.match(r"line (\d+)", position)
    lines = text.split("\n")
    line = int(found[1]) if found else len(lines)
    written = lines[line - 1].strip()
    return Problem(
        "is not valid TOML",
        (why(f"{reason}: {written}"), do("correct this line, or the one before it")),
        file,
        line,
    )
