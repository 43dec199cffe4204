"""The live lines: what is under way, in every lane, at a time."""

from killpoint.cli.progress import (
    CleanRunStarted,
    CycleSeen,
    Interrupted,
    Preparing,
    ProgressEvent,
    ScenarioFinished,
    ScenarioStarted,
    SweepPlanned,
    TargetJoined,
    TargetStarted,
)
from killpoint.cli.report.live_lines import Work
from killpoint.cli.report.page import Page
from killpoint.cli.result import Outcome, ScenarioResult, Seconds

PLAN = SweepPlanned(50, 50, 12, 30.0)
MOMENT = "postgres.commit#1:after"


def over(index: int, outcome: Outcome, lane: int = 1) -> ScenarioFinished:
    result = ScenarioResult("S01", (), outcome, None, (), Seconds(4.0), lane=lane)
    return ScenarioFinished(index, 12, result)


def shown(
    *events: tuple[float, ProgressEvent], now: float, width: int = 60, ascii: bool = False
) -> list[str]:
    work = Work(0.0)
    for at, event in events:
        work.on(event, at)
    return [text.plain for text in work.lines(now, Page(width, ascii))]


def test_before_the_sweep_it_is_what_was_begun_last() -> None:
    assert shown(now=2.0) == [f"{'  starting':51}    2.0 s"]
    assert shown((1.0, Preparing("fetching jars")), now=3.5)[0].split() == [
        *("fetching", "jars", "2.5", "s")
    ]
    (line,) = shown((1.0, CleanRunStarted(2)), (2.0, CycleSeen("fetched")), now=4.0)
    assert line.split() == ["clean", "run", "2", "3.0", "s"]


def test_in_a_sweep_each_lane_has_its_line_and_the_last_one_counts() -> None:
    lines = shown(
        (10.0, PLAN),
        (10.0, ScenarioStarted(1, 12, "kafka.join#1:after", 1)),
        (10.0, ScenarioStarted(2, 12, MOMENT, 2)),
        (14.0, over(1, Outcome.CLEAN)),
        (14.0, ScenarioStarted(3, 12, "postgres.begin#1:before", 1)),
        (15.0, over(2, Outcome.COUNTED_TWICE, 2)),
        (15.5, ScenarioStarted(4, 12, MOMENT, 2)),
        now=16.0,
        width=80,
    )
    assert lines == [
        f"{'  lane 1   3/12  postgres.begin#1:before':71}    2.0 s",
        f"{'  lane 2   4/12  postgres.commit#1:after':71}    0.5 s",
        "  2 of 12 done · clean 1 · counted twice 1 · about 30 s left",
    ]


def test_a_start_that_takes_its_time_is_said_until_it_has_joined() -> None:
    started = ((0.0, PLAN), (0.0, ScenarioStarted(1, 12, MOMENT, 2)), (0.1, TargetStarted(2)))
    assert "waiting" not in shown(*started, now=1.0)[0]
    wait = "waiting for the target to join (9.4 s)"
    assert (
        shown(*started, now=9.5, width=80)[0] == f"  lane 2   1/12  postgres.commi… {wait}    9.5 s"
    )
    assert "waiting" not in shown(*started, now=9.5, width=60)[0]
    assert "waiting" not in shown(*started, (9.0, TargetJoined(2)), now=12.0, width=80)[0]
    again = shown(*started, (9.0, TargetJoined(2)), (10.0, TargetStarted(2)), now=15.0, width=80)
    assert "to join (5.0 s)" in again[0]
    over_now = (*started, (9.0, over(1, Outcome.CLEAN, 2)))
    following = shown(*over_now, (9.0, ScenarioStarted(2, 12, MOMENT, 2)), now=15.0, width=80)
    assert "waiting" not in following[0]
    clean = shown((0.0, CleanRunStarted(1)), (0.5, TargetStarted(1)), now=9.9, width=80)
    assert wait in clean[0]


def test_the_time_left_is_the_estimate_until_something_is_done() -> None:
    events = ((10.0, PLAN), (10.0, ScenarioStarted(1, 12, MOMENT, 1)))
    assert shown(*events, now=15.0)[-1] == "  0 of 12 done · about 25 s left"
    assert shown(*events, now=99.0)[-1] == "  0 of 12 done"


def test_a_line_is_cut_where_the_terminal_ends_and_ascii_where_it_must_be() -> None:
    name = 'kafka.offset_commit{topic="a-very-long-name-of-a-topic",partition=0,offset=12}:after'
    events = ((0.0, PLAN), (0.0, ScenarioStarted(1, 12, name, 1)))
    first, last = shown(*events, now=1.0, width=50, ascii=True)
    assert len(first) == 50 and first.endswith("...    1.0 s") and first.isascii()
    assert last == "  0 of 12 done - about 29 s left"


def test_an_interruption_is_said() -> None:
    events = ((0.0, PLAN), (0.0, ScenarioStarted(1, 12, MOMENT, 1)), (5.0, Interrupted()))
    (line,) = shown(*events, now=6.0)
    assert line.split() == ["ending", "what", "runs", "1.0", "s"]
