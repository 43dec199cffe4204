"""Warnings: what can make a pass mean less, found in what the runs showed."""

from collections.abc import Collection, Iterator, Sequence

from killpoint.checks.outcome import Outcome
from killpoint.cli.result import AgainstCleanRun, ScenarioResult, Warning
from killpoint.cli.session.audit import Audit
from killpoint.faults.agreement import Difference
from killpoint.faults.drained import UNSAVED_QUIET_SECONDS
from killpoint.faults.events import WriteAsked
from killpoint.faults.moment import Side
from killpoint.faults.overtaking import Saving
from killpoint.faults.run_record import RunRecord
from killpoint.faults.scenario import OVERTAKE
from killpoint.faults.sweep import SweepMoment

Record = RunRecord[Audit]
LATE_SECONDS = 1.0
"""A timer of less is not worth a word."""


def bypassed(found: Sequence[SweepMoment]) -> Iterator[Warning]:
    """No moment of the database: nothing that it holds came through killpoint."""
    if found and not any(moment.at.edge == "postgres" for moment in found):
        yield Warning(
            "bypassed",
            "no write was seen on the way to Postgres; if the target writes there, it does so "
            'past killpoint: env = { YOUR_VARIABLE = "{postgres}" }',
        )


def one_batch(clean: Record | None, events: int) -> Iterator[Warning]:
    """All events in one transaction: no crash between two batches was tried."""
    if clean is None or events < 2:
        return
    commits = [
        s for s in clean.history.sightings(1) if s.event == "commit" and s.side is Side.AFTER
    ]
    if len(commits) == 1:
        yield Warning(
            "one_batch",
            f"all {events} events were handled in one batch, so no crash between two batches was "
            "tried; raise the count of events or lower the target's batch size",
        )


def timer_offsets(
    found: Sequence[SweepMoment], finished: Sequence[ScenarioResult]
) -> Iterator[Warning]:
    """Time chooses when offsets are saved, and no scenario lost an event: one may, all the same."""
    losses = {Outcome.LOST, Outcome.BOTH}
    timed = finished and any(moment.by_timer for moment in found)
    if not timed or any(one.outcome in losses or _overtaken(one) for one in finished):
        return
    yield Warning(
        "timer_offsets",
        "a timer, or an asynchronous commit, chooses when the target saves its offsets: if it can "
        "save one before the work on that record is committed, a crash right then loses it, and "
        "no scenario may have met that; a shorter interval of the timer in [target] env and "
        "--depth moments make it likelier",
    )


def _overtaken(scenario: ScenarioResult) -> bool:
    """Whether the work was held for an offset to pass, and an answer came of it."""
    known = scenario.outcome is not Outcome.INCONCLUSIVE
    return known and any(fault.action == OVERTAKE for fault in scenario.faults)


def late_offsets(clean: Record, savings: Sequence[Saving], *, position: bool) -> Iterator[Warning]:
    """Offsets that a timer saves when the work is done, or none at all; `position`: it is known."""
    if clean.progress.unsaved and not position:
        yield Warning(
            "unsaved_offsets",
            f"the target saved no offset within {UNSAVED_QUIET_SECONDS:g} s of its last work, so "
            "no crash around one is tried: if it saves after more records than there are, raise "
            "the count of events; if by a later timer, give it a shorter interval in [target] env; "
            "if they are in the database, say where: [database] position",
        )
    seconds = min((saving.seconds for saving in savings), default=0.0)
    if seconds > LATE_SECONDS and all(saving.idle for saving in savings):
        yield Warning(
            "late_offsets",
            f"a timer saves the target's offsets, up to {seconds:.1f} s after its work: every run "
            "waits for that, so a shorter interval in [target] env makes the sweep faster",
        )


def held_rows(patient: Record) -> Warning:
    """It looked done with rows in memory, and wrote them of itself when it was waited for."""
    seconds = patient.progress.life.longest_gap
    return Warning(
        "held_rows",
        "the target collects rows in memory: it looked done and still held some, which it wrote "
        f"after {seconds:.1f} s; every run waits for that, so a shorter flush interval in "
        "[target] env makes the sweep faster",
    )


def emptied_tables(record: Record) -> set[str]:
    """The tables that the target dropped or truncated after a restart."""
    return {
        table
        for entry in record.history.entries()
        if entry.life > 1
        for event in entry.events
        if isinstance(event, WriteAsked) and event.empties
        for table in event.tables or ("a table",)
    }


def dropped_tables(record: Record) -> Iterator[Warning]:
    """DROP or TRUNCATE after a restart takes away what was counted before it."""
    if tables := emptied_tables(record):
        yield Warning(
            "dropped_tables",
            f"the target drops or truncates {', '.join(sorted(tables))} when it starts again: "
            "what was counted before a restart is gone",
        )


def cancelling(pair: tuple[str, str] | None) -> Iterator[Warning]:
    """Two events that no check tells apart."""
    if pair is not None:
        yield Warning(
            "could_cancel",
            f"one event lost could hide behind another counted twice: no check tells {pair[0]} "
            f"from {pair[1]}; give every event an amount or a key of its own",
        )


def limited(tried: int, found: int) -> Iterator[Warning]:
    """`--limit` cut the sweep: the guarantee is over what was left of it."""
    if tried < found:
        yield Warning(
            "limited",
            f"--limit cut the sweep: {tried} of {found} scenarios; the guarantee is over these "
            "alone",
        )


def out_of_time(left: int, planned: int) -> Iterator[Warning]:
    """`--within` ended the sweep: the guarantee is over what was done until then."""
    if left:
        yield Warning(
            "out_of_time",
            f"--within ended the sweep: {left} of {planned} scenarios were not begun; the "
            "guarantee is over the others alone",
        )


def states_differ(difference: Difference | None) -> Iterator[Warning]:
    """Two kills in one crash state came to different outcomes: so it is not one in truth."""
    if difference is not None:
        first, second = difference.first, difference.second
        yield Warning(
            "states_differ",
            f"{first.scenario.id} ({first.scenario.faults[0].at}) and {second.scenario.id} "
            f"({second.scenario.faults[0].at}) left the same crash state as far as killpoint sees "
            f"({difference.state}), but came to {first.outcome} and {second.outcome}: something "
            "unseen belongs to it, so every moment was tried",
        )


def against_clean_run(against: AgainstCleanRun | None) -> Iterator[Warning]:
    """What a check against the clean run can't see, and the tables that it leaves out."""
    if against is None:
        return
    yield Warning(
        "against_clean_run",
        "against the clean run: an error that the clean run makes too is not seen",
    )
    left_out = [f"{table.table} {table.refusal}" for table in against.tables if table.refusal]
    if left_out:
        yield Warning("not_compared", f"not compared with the clean run: {'; '.join(left_out)}")


def unexplained(scenarios: Sequence[str]) -> Iterator[Warning]:
    """Outcomes larger than their crash state could cost: a reason to doubt killpoint first."""
    if scenarios:
        yield Warning(
            "unexplained",
            f"the outcome of {', '.join(scenarios)} is larger than its crash state can explain, "
            "and the wire shows nothing that the target did to it after its restart: doubt "
            "killpoint first, which may have judged too early; the evidence folder has the story",
        )


def spare_ended(record: Record) -> Iterator[Warning]:
    """A replacement did not wait, so the start after the crash was a cold one."""
    if record.spare_ended is not None:
        yield Warning(
            "spare_ended",
            f"the spare of {record.scenario.id} ended before it was needed ({record.spare_ended}): "
            "the target was started again as without one; see its spare.log. May two of it not "
            "live at once?",
        )


def killed_from_outside(record: Record) -> Iterator[Warning]:
    """The kernel killed the target for its memory: a crash that killpoint did not choose."""
    if cause := next((how for how in record.exits if how.cause is not None), None):
        yield Warning(
            "out_of_memory",
            f"the target ended by itself in {record.scenario.id}: {cause}; "
            "[target] memory is its limit, and its log says what it did last",
        )


def unfilled(clean: Record, topics: Collection[str]) -> Iterator[Warning]:
    """Topics that the target reads and that nobody fills: what it does with them is not tried."""
    life = clean.progress.life
    empty = life.subscribed - {*topics} - clean.progress.topics_written
    if empty:
        yield Warning(
            "unfilled_topics",
            f"subscribed: {', '.join(sorted(life.subscribed))}; nobody fills "
            f"{', '.join(sorted(empty))}: add a [[source]] for it, or name it in [stack] topics",
        )
