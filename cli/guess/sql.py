"""A file of SQL that makes tables, and the table that is guessed to hold one row for each event."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from killpoint.cli.guess.draft import Guess

_PLACES: Final = ("schema.sql", "init.sql", "db/schema.sql", "db/init.sql", "sql/schema.sql")
_CREATE: Final = re.compile(r'(?i)create\s+table\s+(?:if\s+not\s+exists\s+)?"?([\w.]+)"?([^;]*)')
_KEY: Final = re.compile(r"(?i)primary\s+key")
_NUMBERED: Final = re.compile(r"(?i)\b(?:small|big)?serial\b|\bidentity\b|\buuid\b")
_ASIDE: Final = re.compile(r"(?i)offset|migration|history|outbox|processed|shedlock|lock$|schema_")


@dataclass(frozen=True, slots=True)
class Near:
    """What was found; each is None where nothing was."""

    schema: Guess | None = None
    table: Guess | None = None


def schema_near(place: Path) -> Near:
    """Of a file, the SQL files of a folder, or the usual names below it."""
    if place.is_file():
        files = [place]
    else:
        usual = [place / name for name in _PLACES if (place / name).is_file()]
        files = usual or sorted(place.glob("*.sql")) if place.is_dir() else []
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        tables = {name: body for name, body in _CREATE.findall(text) if not _ASIDE.search(name)}
        if tables:
            relative = file.relative_to(place) if place.is_dir() else Path(file.name)
            schema = Guess(relative.as_posix(), "it makes tables")
            return Near(schema, _row_an_event(tables, file.name))
    return Near()


def _row_an_event(tables: Mapping[str, str], file: str) -> Guess | None:
    """The first that numbers its rows, or has no key: others are keyed by what they are about."""
    for name, body in tables.items():
        if not _KEY.search(body) or _NUMBERED.search(body):
            many = f", one of {len(tables)}" if len(tables) > 1 else ""
            return Guess(name, f"a guess: a table of {file}{many}, a row an event")
    return None
