"""The demo's report: consumers side by side are shown one after the other, then the table."""

import io
from itertools import zip_longest

from killpoint.checks.guarantee import Guarantee
from killpoint.cli.demo_result import Sample
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.progress import (
    CleanRunStarted,
    Interrupted,
    ScenarioStarted,
    StackReady,
    StillWorking,
    Warned,
)
from killpoint.cli.report.demo import DemoReport
from killpoint.cli.report.page import console_for
from tests.support.results import events, verdict

FIRST = Sample("count-then-save", Guarantee.AT_LEAST_ONCE, 12)
SECOND = Sample("save-then-count", Guarantee.AT_MOST_ONCE, 12)


class Demo:
    """A report of two consumers, and what it has printed."""

    def __init__(self) -> None:
        self.out, self.live = io.StringIO(), io.StringIO()
        consoles = console_for(self.out, {}), console_for(self.live, {})
        self.report = DemoReport(*consoles, [FIRST, SECOND])

    def run(self, sample: Sample, kind: str) -> None:
        reader = self.report.reader(sample)
        for event in events(verdict(kind)):
            reader.on(event)


def test_the_heading_names_versions_and_what_is_counted() -> None:
    demo = Demo()
    demo.report.on(StackReady("embedded", "Kafka 4.3.1, Postgres 18.4", 3.8))
    assert demo.live.getvalue().splitlines() == [
        "killpoint 0.1.0 · embedded: Kafka 4.3.1, Postgres 18.4 · ready in 3.8 s",
        "2 consumers count the same 12 clicks. Each is killed wherever it can break.",
        "",
    ]


def test_lines_of_two_at_once_are_the_same_as_of_one_after_the_other() -> None:
    in_turn, at_once = Demo(), Demo()
    in_turn.run(FIRST, "both")
    in_turn.run(SECOND, "lost")
    first, second = at_once.report.reader(FIRST), at_once.report.reader(SECOND)
    for one, other in zip_longest(events(verdict("both")), events(verdict("lost"))):
        if other:
            second.on(other)
        if one:
            first.on(one)
    assert at_once.live.getvalue() == in_turn.live.getvalue()
    assert at_once.live.getvalue().count("clean run") == 4


def test_the_second_waits_while_the_first_runs() -> None:
    demo = Demo()
    demo.run(SECOND, "lost")
    assert demo.live.getvalue() == ""
    demo.run(FIRST, "both")
    live = demo.live.getvalue()
    assert live.index("count-then-save") < live.index("save-then-count")


def test_a_sign_of_life_is_given_only_in_a_silence() -> None:
    demo = Demo()
    beat = StillWorking("starting Kafka", 20.0)
    demo.report.on(beat)
    assert demo.live.getvalue() == "working     starting Kafka, for 20.0 s\n"
    reader = demo.report.reader(FIRST)
    reader.on(CleanRunStarted(1))
    demo.report.on(beat)
    reader.on(Warned("bypassed", "no write"))
    reader.on(ScenarioStarted(2, 9, "postgres.commit#1:after"))
    demo.report.on(beat)
    assert "count-then-save" not in demo.live.getvalue()
    demo.report.on(beat)
    assert demo.live.getvalue().splitlines()[-1] == (
        "  working  count-then-save: scenario 2 of 9, postgres.commit#1:after"
    )


def test_what_waits_for_one_that_never_ends_is_shown_in_the_end() -> None:
    demo = Demo()
    demo.run(SECOND, "lost")
    assert demo.report.finish(9.0) is ExitCode.INCONCLUSIVE
    assert "save-then-count" in demo.live.getvalue()
    assert demo.out.getvalue().splitlines()[-1] == "exit 3   inconclusive"


def test_an_interruption_is_the_end_whatever_was_judged() -> None:
    demo = Demo()
    demo.report.on(Interrupted())
    assert demo.report.finish(9.0) is ExitCode.INTERRUPTED
    assert demo.out.getvalue().splitlines()[-1] == "exit 130   interrupted"


def test_the_verdicts_stand_in_the_order_of_the_samples() -> None:
    demo = Demo()
    demo.run(SECOND, "lost")
    demo.run(FIRST, "lost")
    assert [one.sample for one in demo.report.judgements] == [FIRST, SECOND]
    assert demo.report.finish(9.0) is ExitCode.NOT_MET
