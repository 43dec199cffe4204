"""How long a sweep will take: from clean runs, of this session or of the last one, else a guess.

Counterparts: the examination asks once its clean runs are done, `plan` before anything starts.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

RUNS: Final = ".killpoint/runs"
_FAULT: Final = 1.5
"""A run with a fault starts the target twice, but handles every event about once."""
QUICK_SECONDS: Final = 1.0
"""A clean run of a target that joins at once."""
_ONE_BATCH: Final = 11
_EACH_BATCH: Final = 8
"""Moments: join, fetch and begin before the first write, then both sides of each step."""


@dataclass(frozen=True, slots=True)
class LastRun:
    """The clean runs of an earlier session: how many moments they showed, how long one took."""

    run: str
    moments: int
    seconds: float


def sweep_seconds(scenarios: int, clean_seconds: float) -> float:
    """The time of a sweep whose clean run took `clean_seconds`."""
    return scenarios * clean_seconds * _FAULT


def guess(events: int) -> tuple[int, int]:
    """The number of moments if all events are one batch, and if each is one of its own."""
    return _ONE_BATCH, _ONE_BATCH + _EACH_BATCH * max(0, events - 1)


def last_run(folder: Path) -> LastRun | None:
    """The latest session in a project's folder that made two clean runs."""
    runs = sorted((folder / RUNS).glob("*"), key=lambda run: run.stat().st_mtime, reverse=True)
    for run in runs:
        try:
            histories = [_history(run / f"clean-{number}") for number in (1, 2)]
            moments = {moment for history in histories for moment in _moments(history)}
            return LastRun(run.name, len(moments), float(histories[1][-1]["seconds"]))
        except (OSError, ValueError, LookupError):
            continue  # it was interrupted, or another version wrote it
    return None


def _history(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "history.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _moments(history: Iterable[dict[str, Any]]) -> list[str]:
    """One name a frame, as a sweep takes it: the commit if it is one, else the last."""
    framed = [line["moments"] for line in history if line.get("moments")]
    return [next((m for m in names if ".commit" in m), names[-1]) for names in framed]
