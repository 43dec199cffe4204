"""What the clean runs of a session showed, kept for the plan and the estimate of the next one.

Counterparts: the examination keeps it beside its second clean run, `plan` asks for the latest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from pydantic import TypeAdapter

from killpoint.cli.session.evidence import Evidence
from killpoint.cli.session.lanes import Meeting
from killpoint.faults.depth import Depth, Selection, representatives, selected
from killpoint.faults.scenario import SWEPT
from killpoint.faults.sweep import SweepMoment

RUNS: Final = ".killpoint/runs"
_SCENARIO: Final = "clean-2"
_FILE: Final = "shown.json"


@dataclass(frozen=True, slots=True)
class Shown:
    """`scenarios`: how many a depth takes for each action. `again`: moments of one recovery.

    `seconds`: how long the last clean run took; `meeting`: where targets of several lanes would
    meet.
    """

    moments: int
    seconds: float
    scenarios: Mapping[Depth, Mapping[str, int]]
    again: Mapping[Depth, int]
    meeting: Meeting

    @classmethod
    def of(
        cls,
        found: Sequence[SweepMoment],
        seconds: float,
        meeting: Meeting,
        overtaken: tuple[SweepMoment, ...] = (),
    ) -> Self:
        """What clean runs with these moments show; `overtaken`: see `Selection`."""
        return cls(
            len(found),
            seconds,
            {depth: {a: _number(found, depth, a, overtaken) for a in SWEPT} for depth in Depth},
            {depth: len(representatives(found, depth)) for depth in Depth},
            meeting,
        )

    def keep(self, evidence: Evidence) -> None:
        """Write it to the run's folder."""
        (evidence.folder(_SCENARIO) / _FILE).write_bytes(_JSON.dump_json(self))


_JSON: Final = TypeAdapter(Shown)


@dataclass(frozen=True, slots=True)
class LastRun:
    """The latest session that made its clean runs."""

    run: str
    shown: Shown


def last_run(folder: Path) -> LastRun | None:
    """The latest session in a project's folder that made two clean runs."""
    runs = sorted((folder / RUNS).glob("*"), key=lambda run: run.stat().st_mtime, reverse=True)
    for run in runs:
        try:
            return LastRun(run.name, _JSON.validate_json((run / _SCENARIO / _FILE).read_bytes()))
        except (OSError, ValueError):
            continue  # it was interrupted, or another version wrote it
    return None


def _number(
    found: Sequence[SweepMoment], depth: Depth, action: str, overtaken: tuple[SweepMoment, ...]
) -> int:
    return len(selected(found, Selection(depth, (action,), overtaken=overtaken)))
