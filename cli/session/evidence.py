"""The evidence of a run: a folder for each scenario, with the target's output and the history.

`.killpoint/runs/<run>/<scenario>/target.log` and `history.jsonl` (one JSON object a line). The
folder `.killpoint` ignores itself in git.
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import cast

from killpoint.faults.history import Entry, History, Note
from killpoint.faults.naming import names


def new_run_id() -> str:
    """A short name for a run: day, month and a number of its own, such as 3011-4bf2."""
    return f"{datetime.now():%d%m}-{secrets.token_hex(2)}"


class Evidence:
    """The folder of one run, made on first use below the configuration's folder."""

    def __init__(self, folder: Path, run: str) -> None:
        self._home = folder / ".killpoint"
        self.run = run

    def folder(self, scenario: str) -> Path:
        """The folder of a scenario, made if it is not there."""
        folder = self._home / "runs" / self.run / scenario
        folder.mkdir(parents=True, exist_ok=True)
        ignore = self._home / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n")
        return folder

    def write(self, scenario: str, history: History) -> None:
        """Keep the history of a run."""
        lines = [json.dumps(_line(line), default=str) for line in history.lines]
        (self.folder(scenario) / "history.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def _line(line: Entry | Note) -> dict[str, object]:
    head: dict[str, object] = {"seconds": round(line.seconds, 6), "life": line.life}
    if isinstance(line, Note):
        return {**head, "note": line.text}
    return {
        **head,
        "edge": line.edge,
        "connection": line.connection,
        **({"replica": line.replica} if line.replica else {}),
        "moments": [str(moment) for moment in names(line.sightings)],
        "events": [_plain(event) for event in line.events],
    }


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        own = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return {"event": type(value).__name__, **own}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in cast(Sequence[object], value)]
    if isinstance(value, frozenset):
        return sorted(map(str, cast(frozenset[object], value)))
    return value
