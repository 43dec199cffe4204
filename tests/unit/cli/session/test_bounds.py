"""The exposure of a scenario: where there is one, what has none, what lies beyond it."""

from fractions import Fraction

from killpoint.checks.check import Check
from killpoint.checks.comparison import compare
from killpoint.checks.exposure import Exposure
from killpoint.checks.ledger import Ledger
from killpoint.checks.totals import Totals
from killpoint.cli.session.audit import Audit
from killpoint.cli.session.bounds import Bounded, Bounds
from killpoint.cli.session.skipped import Usual
from killpoint.faults.actions.crash import Crash
from killpoint.faults.ending import DRAINED
from killpoint.faults.events import (
    Event,
    OffsetCommitAnswered,
    RecordsFetched,
    WriteAsked,
)
from killpoint.faults.frontier import FrontierEntry
from killpoint.faults.history import Entry, History
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.position import Position, Span, TopicPartition
from killpoint.faults.progress import Progress
from killpoint.faults.record import Record
from killpoint.faults.run_record import FaultRecord, RunRecord, Times
from killpoint.faults.scenario import Fault, Scenario

EVENTS = 6
CHECK = Check("events", "select count(*) as total from events", "select total from counted")
FAULT = Fault(parse_moment("postgres.commit#2:after"), "kill")
USUAL = Usual(offset_last=True, rows_per_record=Fraction(1))
LEDGER = Ledger([Record("clicks", 0, number, None, b"{}") for number in range(EVENTS)])


def total(number: int) -> Totals:
    return Totals.of(["total"], [(number,)])


def run_of(
    *, at_kill: int, resumed: int, found: int, written: str | None = None
) -> RunRecord[Audit]:
    """A kill that left `at_kill` events counted; the restart fetched from `resumed` on."""
    progress = Progress()
    if written is not None:
        progress.topics_written.add(written)
    crash = Crash((FrontierEntry("clicks", 0, EVENTS, resumed, EVENTS),))
    place = TopicPartition("clicks", 0)
    fault = FaultRecord(FAULT, 1, crash, (total(at_kill),), {place: resumed})
    audit = Audit(((CHECK.name, compare(total(EVENTS), total(found))),))
    scenario = Scenario("S01", (FAULT,))
    return RunRecord(
        scenario, DRAINED, (fault,), audit, Times(), History(), progress, ("counter",), ()
    )


async def bounded(record: RunRecord[Audit]) -> Bounded:
    return await Bounds([CHECK]).bound(record, LEDGER, USUAL)


def with_restart(record: RunRecord[Audit]) -> RunRecord[Audit]:
    """The same; the restart fetched the rest, wrote nothing and saved the offset behind it."""
    span = Span("clicks", 0, 3, EVENTS)
    save = OffsetCommitAnswered(2, "counter", (Position("clicks", 0, EVENTS),))
    events: tuple[Event, ...] = (RecordsFetched(1, (span,)), save)
    for seconds, event in enumerate(events):
        record.progress.see(seconds, ("kafka", 1), [event])
        record.history.add(Entry(seconds, 2, "kafka", 1, (event,)))
    return record


async def test_what_was_counted_before_the_restart_fetches_it_again_may_be_counted_twice() -> None:
    found = await bounded(run_of(at_kill=6, resumed=3, found=9))
    assert found.exposures[0] is not None
    assert (found.exposures[0].lost, found.exposures[0].counted_twice) == (0, 3)
    assert not found.unexplained


async def test_more_than_that_is_unexplained() -> None:
    assert (await bounded(run_of(at_kill=3, resumed=3, found=5))).unexplained


async def test_less_than_that_is_explained_where_the_wire_shows_that_the_restart_skipped() -> None:
    found = await bounded(with_restart(run_of(at_kill=3, resumed=3, found=5)))
    assert not found.unexplained
    assert "it skipped events as done" in (found.explained_by or "")


async def test_no_skip_explains_what_is_counted_twice() -> None:
    found = await bounded(with_restart(run_of(at_kill=3, resumed=3, found=7)))
    assert found.unexplained
    assert found.explained_by is None


async def test_no_skip_explains_the_loss_of_what_was_counted_at_the_kill() -> None:
    assert (await bounded(with_restart(run_of(at_kill=3, resumed=3, found=2)))).unexplained


async def test_what_the_restart_empties_is_explained_by_it() -> None:
    record = run_of(at_kill=3, resumed=3, found=3)
    truncate = WriteAsked(1, 1, frozenset({"counted"}), empties=True)
    record.history.add(Entry(0.5, 2, "postgres", 1, (truncate,)))
    found = await bounded(record)
    assert (found.unexplained, found.explained_by) == (
        False,
        "the restart dropped or truncated counted",
    )


async def test_a_target_that_writes_into_its_own_sources_has_no_exposure() -> None:
    retried = run_of(at_kill=3, resumed=3, found=7, written="clicks")
    assert await bounded(retried) == Bounded()
    elsewhere = run_of(at_kill=3, resumed=3, found=7, written="totals")
    assert isinstance((await bounded(elsewhere)).exposures[0], Exposure)
