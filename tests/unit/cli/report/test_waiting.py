"""Which starts are waited for: each lane's own, from the start to the join."""

from killpoint.cli.progress import ScenarioFinished, TargetJoined, TargetStarted
from killpoint.cli.report.waiting import Waiting
from killpoint.cli.result import Outcome, ScenarioResult, Seconds


def test_each_lane_waits_for_its_own_target() -> None:
    waiting = Waiting()
    waiting.on(TargetStarted(1), 10.0)
    waiting.on(TargetStarted(2), 12.0)
    assert waiting.words(1, 19.4) == "waiting for the target to join (9.4 s)"
    assert waiting.words(2, 19.4) == "waiting for the target to join (7.4 s)"
    assert waiting.words(3, 19.4) == ""
    waiting.on(TargetJoined(1), 20.0)
    assert waiting.words(1, 30.0) == ""
    assert waiting.words(2, 30.0) != ""


def test_a_short_wait_is_not_worth_a_word_and_an_end_ends_it() -> None:
    waiting = Waiting()
    waiting.on(TargetStarted(2), 10.0)
    assert waiting.words(2, 11.0) == ""
    result = ScenarioResult("S01", (), Outcome.CLEAN, None, (), Seconds(4.0), lane=2)
    waiting.on(ScenarioFinished(1, 12, result), 15.0)
    assert waiting.words(2, 30.0) == ""
