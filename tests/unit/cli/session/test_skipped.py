"""What a restart skipped is told from what killpoint may have judged too early."""

from dataclasses import replace
from fractions import Fraction

import pytest

from killpoint.cli.session.audit import Audit
from killpoint.cli.session.skipped import Usual, skipped, usual
from killpoint.faults.drained import Calibration
from killpoint.faults.ending import DRAINED
from killpoint.faults.events import (
    CommitAnswered,
    OffsetCommitAnswered,
    RecordsFetched,
    WriteAnswered,
)
from killpoint.faults.history import Entry, History
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.position import Position, Span, TopicPartition
from killpoint.faults.progress import Progress
from killpoint.faults.run_record import FaultRecord, RunRecord, Times
from killpoint.faults.scenario import Fault, Scenario

PLACE, END, RESUMED = TopicPartition("clicks", 0), 12, 9
FAULT = FaultRecord(
    Fault(parse_moment("postgres.commit#2:after"), "kill"), 1, resumed={PLACE: RESUMED}
)
USUAL = Usual(offset_last=True, rows_per_record=Fraction(2))


def run_of(
    *, rows: int | None, saved: int | None = END, work_after: bool = False, life: int = 2
) -> RunRecord[Audit]:
    """A life that fetched the last events, committed so many rows and then saved an offset."""
    progress, history = Progress(), History()
    progress.started(0.0)
    span = Span("clicks", 0, RESUMED, END)
    save = OffsetCommitAnswered(4, "g", (Position("clicks", 0, saved or 0),))
    steps = [
        (0.1, "kafka", (RecordsFetched(1, (span,)),)),
        (0.2, "postgres", (WriteAnswered(1, 1, rows), CommitAnswered(2, 1, False))),
        (0.3, "kafka", (save,) if saved is not None else ()),
        (0.4, "postgres", (WriteAnswered(5, 2, 0),) if work_after else ()),
    ]
    for seconds, edge, events in steps:
        progress.see(seconds, (edge, 1), events)
        history.add(Entry(seconds, life, edge, 1, events))
    scenario = Scenario("S01", (FAULT.fault,))
    return RunRecord(scenario, DRAINED, (FAULT,), Audit(()), Times(), history, progress, ("g",), ())


def told(record: RunRecord[Audit], known: Usual = USUAL) -> str | None:
    return skipped(record, FAULT, {PLACE: END}, known)


def test_fewer_rows_and_the_offset_behind_them_is_a_skip() -> None:
    assert told(run_of(rows=5)) == (
        "the restart fetched 3 events, committed 5 rows (in the clean runs 6 for as many) and "
        "saved the offset behind them: it skipped events as done"
    )


def test_as_many_rows_as_ever_explain_nothing() -> None:
    assert told(run_of(rows=6)) is None


@pytest.mark.parametrize("saved", [None, 11])
def test_an_offset_that_is_not_at_the_end_may_mean_a_run_judged_too_early(
    saved: int | None,
) -> None:
    assert told(run_of(rows=0, saved=saved)) is None


def test_work_behind_the_offset_may_not_be_over() -> None:
    assert told(run_of(rows=0, work_after=True)) is None


def test_an_offset_that_does_not_come_last_says_nothing_of_the_work() -> None:
    assert told(run_of(rows=0), replace(USUAL, offset_last=False)) is None


def test_rows_that_are_not_known_explain_nothing() -> None:
    assert told(run_of(rows=None)) is None
    assert told(run_of(rows=0), replace(USUAL, rows_per_record=None)) is None


def test_a_partition_with_nothing_left_needs_no_offset() -> None:
    at_end = replace(FAULT, resumed={PLACE: RESUMED, TopicPartition("clicks", 1): 7})
    ends = {PLACE: END, TopicPartition("clicks", 1): 7}
    assert skipped(run_of(rows=5), at_end, ends, USUAL) is not None


def test_the_clean_runs_say_how_many_rows_a_record_needs() -> None:
    known = Calibration(True, True, 0.1, 1.0, 0.3)
    two, three = run_of(rows=6, life=1), run_of(rows=9, life=1)
    assert usual([two, two], known, frozenset()) == Usual(True, Fraction(2))
    assert usual([two, three], known, frozenset()) == Usual(True, None)
    assert usual([two], None, frozenset()) == Usual(False, Fraction(2))
    assert usual([run_of(rows=0, life=1)], known, frozenset()).rows_per_record is None
