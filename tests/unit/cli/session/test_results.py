"""From a run to what the result says: how it ended goes before what the audit found."""

from dataclasses import replace

import pytest

from killpoint.checks.comparison import CheckOutcome
from killpoint.checks.outcome import Outcome
from killpoint.cli.session.audit import Audit
from killpoint.cli.session.results import clean_run, judged, outcome_of
from killpoint.faults.ending import DRAINED, End, Ending
from killpoint.faults.history import Entry, History
from killpoint.faults.moment import Side, Sighting
from killpoint.faults.progress import Progress
from killpoint.faults.run_record import RunRecord, Times
from killpoint.faults.scenario import Scenario


def record_of(ending: Ending, outcome: Outcome | None) -> RunRecord[Audit]:
    found = CheckOutcome(outcome, None, None) if outcome else None
    return RunRecord(
        scenario=Scenario("S01"),
        ending=ending,
        faults=(),
        audit=Audit((("clicks", found),)) if found else None,
        times=Times(total=1.23456),
        history=History(),
        progress=Progress(),
        groups=(),
        exits=(),
    )


STUCK = Ending(End.STUCK, "a crash loop")
NOT_REACHED = Ending(End.INCONCLUSIVE, "the moment was not reached", "look at points")


@pytest.mark.parametrize(
    ("ending", "audited", "outcome"),
    [
        (DRAINED, Outcome.CLEAN, Outcome.CLEAN),
        (DRAINED, Outcome.LOST, Outcome.LOST),
        (DRAINED, None, Outcome.INCONCLUSIVE),
        (STUCK, None, Outcome.STUCK),
        (STUCK, Outcome.CLEAN, Outcome.STUCK),
        (NOT_REACHED, Outcome.CLEAN, Outcome.INCONCLUSIVE),
        (NOT_REACHED, Outcome.LOST, Outcome.INCONCLUSIVE),
    ],
)
def test_the_ending_goes_before_the_audit(
    ending: Ending, audited: Outcome | None, outcome: Outcome
) -> None:
    assert outcome_of(record_of(ending, audited))[0] is outcome


def test_the_reason_says_what_to_do() -> None:
    _, reason = outcome_of(record_of(NOT_REACHED, None))
    assert reason is not None
    assert reason.startswith("the moment was not reached") and reason.endswith("look at points")
    assert outcome_of(record_of(STUCK, None))[1] == "a crash loop"


def test_a_clean_run_tells_its_cycle_of_the_first_life() -> None:
    record = record_of(DRAINED, Outcome.CLEAN)
    for life, event in ((1, "begin"), (2, "commit")):
        sighting = Sighting("postgres", event, Side.AFTER, 1)
        record.history.add(Entry(0.0, life, "postgres", 1, (), (sighting,)))
    shown = clean_run(record, ".killpoint/runs/r1/clean-1")
    assert (shown.outcome, shown.cycle) == (Outcome.CLEAN, "begin")
    assert shown.evidence == ".killpoint/runs/r1/clean-1"


def test_a_clean_run_is_always_required() -> None:
    shown = clean_run(record_of(DRAINED, Outcome.LOST), None)
    assert [(run.outcome, run.required) for run in judged([shown])] == [(Outcome.LOST, True)]
    assert judged([replace(shown, reason="why")])[0].reason == "why"
