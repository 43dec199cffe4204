"""Whether a restart lost events itself: it fetched them again and skipped them as done.

Counterpart: `bounds` asks where more is missing than the crash state could cost. Said only where
the wire shows all of it, so that a run that killpoint judged too early stays unexplained:

- in the clean runs the offset came last, so that it says that the work before it is over
- after the restart the target saved the offset behind its last event, later than all it wrote
- and by then it had committed fewer rows than the clean runs did for as many events
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from killpoint.cli.session.audit import Audit
from killpoint.faults.committed_rows import Harvest, harvest
from killpoint.faults.drained import Calibration
from killpoint.faults.position import TopicPartition
from killpoint.faults.run_record import FaultRecord, RunRecord

Record = RunRecord[Audit]


@dataclass(frozen=True, slots=True)
class Usual:
    """What the clean runs showed: whether the offset came last, and the rows for each record.

    `rows_per_record` is None where it was not the same in all of them, or not known.
    """

    offset_last: bool
    rows_per_record: Fraction | None
    ignore_tables: frozenset[str] = frozenset()


def usual(
    clean: Sequence[Record], calibration: Calibration | None, ignore_tables: frozenset[str]
) -> Usual:
    """Read off the clean runs."""
    found = {_rate(harvest(record.history.entries(1), ignore_tables)) for record in clean}
    last = calibration is not None and calibration.offset_last
    return Usual(last, found.pop() if len(found) == 1 else None, ignore_tables)


def skipped(
    record: Record, fault: FaultRecord, ends: Mapping[TopicPartition, int], usual: Usual
) -> str | None:
    """How the restart lost events, in words; None where the wire does not show it."""
    if not usual.offset_last or not usual.rows_per_record:
        return None
    if not all(_let_go(record, fault, place, end) for place, end in ends.items()):
        return None
    later = (entry for entry in record.history.entries() if entry.life > fault.life)
    found = harvest(later, usual.ignore_tables)
    wanted = usual.rows_per_record * found.records
    if found.rows is None or found.rows >= wanted:
        return None
    return (
        f"the restart fetched {found.records} events, committed {found.rows} rows (in the clean "
        f"runs {float(wanted):g} for as many) and saved the offset behind them: it skipped events "
        "as done"
    )


def _let_go(record: Record, fault: FaultRecord, place: TopicPartition, end: int) -> bool:
    """Whether the restart said of a partition that its work is over, after the last of the work."""
    progress = record.progress
    if fault.resumed.get(place, 0) >= end:
        return True
    work = max(progress.life.last_fetch or 0.0, progress.life.last_write or 0.0)
    said = progress.committed_at.get(place)
    return progress.committed.get(place, 0) >= end and said is not None and said >= work


def _rate(found: Harvest) -> Fraction | None:
    return Fraction(found.rows, found.records) if found.rows and found.records else None
