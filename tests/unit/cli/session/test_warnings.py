"""Warnings: said only where the runs showed what they warn of."""

from dataclasses import replace

import pytest

from killpoint.checks.outcome import Outcome
from killpoint.cli.result import (
    AgainstCleanRun,
    ComparedTable,
    FaultResult,
    ScenarioResult,
    Seconds,
)
from killpoint.cli.session.audit import Audit
from killpoint.cli.session.warnings import (
    against_clean_run,
    bypassed,
    dropped_tables,
    held_rows,
    late_offsets,
    limited,
    one_batch,
    out_of_time,
    states_differ,
    timer_offsets,
)
from killpoint.faults.agreement import Difference, Seen
from killpoint.faults.crash_state import CrashState
from killpoint.faults.ending import DRAINED
from killpoint.faults.events import Event, GroupNamed, RecordsFetched, WriteAsked
from killpoint.faults.history import Entry, History
from killpoint.faults.moment import Side, Sighting
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.overtaking import Saving
from killpoint.faults.position import Span
from killpoint.faults.progress import Progress
from killpoint.faults.run_record import RunRecord, Times
from killpoint.faults.scenario import Fault, Scenario
from killpoint.faults.sweep import SweepMoment


def record_of(*entries: Entry) -> RunRecord[Audit]:
    history = History(list(entries))
    return RunRecord(Scenario("S01"), DRAINED, (), None, Times(), history, Progress(), (), ())


def commits(count: int) -> RunRecord[Audit]:
    return record_of(
        *(
            Entry(0.0, 1, "postgres", 1, (), (Sighting("postgres", "commit", side, number),))
            for number in range(1, count + 1)
            for side in Side
        )
    )


def emptied(life: int, *, empties: bool = True) -> RunRecord[Audit]:
    write = WriteAsked(1, 1, frozenset({"links"}), empties)
    return record_of(Entry(0.0, life, "postgres", 1, (write,)))


def test_no_moment_of_the_database_is_told() -> None:
    kafka = SweepMoment(parse_moment("kafka.join:after"), True)
    postgres = SweepMoment(parse_moment("postgres.commit:after"), True)
    assert [warning.name for warning in bypassed([kafka])] == ["bypassed"]
    assert not list(bypassed([kafka, postgres]))
    assert not list(bypassed([]))


def test_one_commit_for_all_events_is_told() -> None:
    assert [warning.name for warning in one_batch(commits(1), 6)] == ["one_batch"]
    assert not list(one_batch(commits(2), 6))
    assert not list(one_batch(commits(1), 1))
    assert not list(one_batch(None, 6))


def test_a_table_that_is_emptied_after_a_restart_is_named() -> None:
    (warning,) = dropped_tables(emptied(2))
    assert warning.name == "dropped_tables" and "links" in warning.text
    assert not list(dropped_tables(emptied(1)))
    assert not list(dropped_tables(emptied(2, empties=False)))


def test_rows_that_came_late_are_told_with_their_time() -> None:
    record = record_of()
    record.progress.life.longest_gap = 9.96
    warning = held_rows(record)
    assert warning.name == "held_rows" and "after 10.0 s" in warning.text


def test_a_sweep_that_was_cut_says_of_how_much_it_speaks() -> None:
    assert list(limited(6, 6)) == []
    (warning,) = limited(3, 6)
    assert warning.name == "limited"
    assert "3 of 6 scenarios" in warning.text


def test_a_sweep_that_ran_out_of_time_says_what_was_not_begun() -> None:
    assert list(out_of_time(0, 6)) == []
    (warning,) = out_of_time(4, 6)
    assert warning.name == "out_of_time"
    assert "4 of 6 scenarios were not begun" in warning.text


def test_two_kills_that_differ_in_one_state_are_both_named() -> None:
    first, second = (
        Seen(Scenario(id, (Fault(parse_moment(at), "kill"),)), outcome)
        for id, at, outcome in (
            ("S01", "postgres.begin#1:after", "clean"),
            ("S02", "postgres.write#1:before", "lost"),
        )
    )
    assert list(states_differ(None)) == []
    (warning,) = states_differ(Difference(CrashState(), first, second))
    assert warning.name == "states_differ"
    for word in ("S01", "S02", "postgres.begin#1:after", "postgres.write#1:before", "clean"):
        assert word in warning.text


def test_what_the_clean_run_hides_and_leaves_out_is_told() -> None:
    assert list(against_clean_run(None)) == []
    whole = ComparedTable("tables", "counts", 3, ("code",), ("code", "clicks"))
    one = list(against_clean_run(AgainstCleanRun("the rule", (whole,))))
    assert [(warning.name, warning.text) for warning in one] == [
        (
            "against_clean_run",
            "against the clean run: an error that the clean run makes too is not seen",
        )
    ]
    refused = ComparedTable("tables", "jobs", 0, (), (), (), "has other rows")
    _, told = against_clean_run(AgainstCleanRun("the rule", (whole, refused)))
    assert (told.name, told.text) == (
        "not_compared",
        "not compared with the clean run: jobs has other rows",
    )


def test_a_timer_that_no_scenario_lost_by_is_said() -> None:
    saved = parse_moment('kafka.offset_commit{topic="clicks",partition=0}#1:after')
    clean, lost = (scenario_result(outcome) for outcome in (Outcome.CLEAN, Outcome.LOST))
    by_timer, sure = [SweepMoment(saved, False)], [SweepMoment(saved, True)]
    assert [warning.name for warning in timer_offsets(by_timer, [clean])] == ["timer_offsets"]
    assert not [*timer_offsets(by_timer, [clean, lost])]
    assert not [*timer_offsets(by_timer, [])]
    assert not [*timer_offsets(sure, [clean])]


def test_work_that_was_held_for_an_offset_tells_it() -> None:
    saved = parse_moment('kafka.offset_commit{topic="clicks",partition=0}#1:after')
    by_timer = [SweepMoment(saved, False)]
    fault = FaultResult("postgres.commit#2:before", "overtake", True, ())
    known, unknown = (
        replace(scenario_result(outcome), faults=(fault,))
        for outcome in (Outcome.CLEAN, Outcome.INCONCLUSIVE)
    )
    assert not [*timer_offsets(by_timer, [known])]
    assert [*timer_offsets(by_timer, [unknown])]


@pytest.mark.parametrize(
    ("group", "savings", "position", "names"),
    [
        (True, [Saving(), Saving()], False, ["unsaved_offsets"]),
        (True, [Saving(), Saving()], True, []),
        (False, [Saving(), Saving()], False, []),
        (False, [Saving(5.2, idle=True), Saving(4.9, idle=True)], False, ["late_offsets"]),
        (False, [Saving(0.3, idle=True), Saving(5.2, idle=True)], False, []),
        (False, [Saving(5.2), Saving(4.9)], False, []),
        (False, [Saving(5.2, idle=True), Saving(4.9)], False, []),
    ],
)
def test_offsets_that_come_late_or_not_are_told(
    group: bool, savings: list[Saving], position: bool, names: list[str]
) -> None:
    record = record_of()
    fetched = RecordsFetched(1, (Span("clicks", 0, 0, 6),))
    told: list[Event] = [GroupNamed("counter"), fetched] if group else [fetched]
    record.progress.see(0.0, ("kafka", 1), told)
    found = list(late_offsets(record, savings, position=position))
    assert [warning.name for warning in found] == names


def scenario_result(outcome: Outcome) -> ScenarioResult:
    return ScenarioResult("S01", (), outcome, None, (), Seconds(1.0))
