"""Causes: what the order of the steps explains, and what the outcome alone proves."""

from dataclasses import replace

import pytest

from killpoint.checks.outcome import Outcome
from killpoint.cli.report.cause import cause_of, steps_of
from killpoint.faults.cycle import cycle
from killpoint.faults.moment import Side, Sighting
from tests.support.results import COUNT_THEN_SAVE, SAVE_THEN_COUNT, scenario

AFTER = "postgres.commit#1:after"


def answered(event: str, **identity: int) -> Sighting:
    return Sighting("any", event, Side.AFTER, 1, (tuple(identity.items()),))


def sentence(outcome: Outcome, cycle: str, reason: str | None = None) -> str:
    cause = cause_of(scenario(1, AFTER, outcome, reason), cycle)
    assert cause is not None
    return cause.sentence


def test_the_steps_of_a_cycle() -> None:
    assert steps_of(COUNT_THEN_SAVE) == ("fetch", "begin", "write", "commit", "offset")
    assert steps_of("fetched 0 → begin → 1 write → rollback") == (
        "fetch",
        "begin",
        "write",
        "rollback",
    )
    assert steps_of("fetched 0-11 → begin → commit …") == ("fetch", "begin", "commit")
    assert steps_of("") == ()


def test_the_steps_of_a_cycle_as_it_is_seen_on_the_wire() -> None:
    batch = [answered("begin"), *([answered("write")] * 3), answered("commit")]
    saved = answered("offset_commit", offset=3)
    seen = cycle([answered("fetch", offset=0, next=12), *batch, saved, *batch, saved])
    assert str(seen).endswith("\N{HORIZONTAL ELLIPSIS}")
    assert steps_of(str(seen)) == ("fetch", "begin", "write", "commit", "offset")


@pytest.mark.parametrize("outcome", [Outcome.CLEAN, Outcome.INCONCLUSIVE])
def test_nothing_to_explain(outcome: Outcome) -> None:
    assert cause_of(scenario(1, AFTER, outcome), COUNT_THEN_SAVE) is None


def test_counted_first_and_saved_second() -> None:
    assert sentence(Outcome.COUNTED_TWICE, COUNT_THEN_SAVE) == (
        "The offset is saved after COMMIT. A crash between the two repeats the batch."
    )


def test_a_timer_that_came_into_the_work() -> None:
    lost = scenario(1, AFTER, Outcome.LOST)
    fault = replace(lost.faults[0], action="overtake")
    cause = cause_of(replace(lost, faults=(fault,)), COUNT_THEN_SAVE)
    assert cause is not None
    assert cause.sentence.startswith("An offset was saved, by a timer or another worker")


def test_saved_first_and_counted_second() -> None:
    assert sentence(Outcome.LOST, SAVE_THEN_COUNT) == (
        "The offset is saved before COMMIT. A crash between the two skips the batch."
    )


@pytest.mark.parametrize(
    ("outcome", "cycle"),
    [(Outcome.LOST, COUNT_THEN_SAVE), (Outcome.COUNTED_TWICE, SAVE_THEN_COUNT)],
)
def test_an_order_that_does_not_explain_the_outcome_is_not_blamed(
    outcome: Outcome, cycle: str
) -> None:
    assert "COMMIT" not in sentence(outcome, cycle)


@pytest.mark.parametrize("outcome", [Outcome.LOST, Outcome.COUNTED_TWICE, Outcome.BOTH])
def test_without_an_offset_in_the_cycle_only_the_outcome_is_told(outcome: Outcome) -> None:
    assert "ffset" in sentence(outcome, "fetched 0-2 → begin → write → commit")


def test_stuck_tells_its_reason_and_where_to_read() -> None:
    cause = cause_of(scenario(1, AFTER, Outcome.STUCK, "exit 1 six times."), COUNT_THEN_SAVE)
    assert cause is not None
    assert cause.sentence == "The target did not recover from the crash: exit 1 six times."
    assert ".killpoint/runs/r1/S01" in cause.cure


@pytest.mark.parametrize("outcome", [Outcome.PHANTOM, Outcome.STALE, Outcome.PARTIAL])
def test_every_other_outcome_is_named(outcome: Outcome) -> None:
    assert outcome.value in sentence(outcome, COUNT_THEN_SAVE)
