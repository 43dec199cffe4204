"""The demo's table, its summary and its exit line."""

from dataclasses import replace

import pytest

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.demo_result import Judgement, Sample
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.progress import VerdictGiven
from killpoint.cli.report.demo_table import closing_lines, order_words
from killpoint.cli.report.page import Page
from tests.support.results import check, result, scenario, verdict

TABLE = """\
 consumer         order seen on the wire                         kills  lost twice  guarantee
 ──────────────────────────────────────────────────────────────────────────────────────────────────
 save-then-count  offset → begin → write → commit                    2     3     0  at most once
 message-id       begin → write → commit → offset                    2     0     0  effectively once
 set-state        begin → write → commit → offset                    1     3     3  no guarantee
                                                              the right verdict is: effectively once
                  (lost and twice: the most in one crash)

5 kills, 5 of 5 moments reached, 0 inconclusive · 51.3 s
"effectively once" means: not refuted within this sweep.

Next   killpoint init     try your own consumer

exit 1   a verdict is not the right one"""

JUDGEMENTS = [
    Judgement(Sample("save-then-count", Guarantee.AT_MOST_ONCE), verdict("lost")),
    Judgement(Sample("message-id", Guarantee.EFFECTIVELY_ONCE), verdict("passed")),
    Judgement(Sample("set-state", Guarantee.EFFECTIVELY_ONCE), verdict("both")),
]


def test_the_whole_end() -> None:
    lines = closing_lines(JUDGEMENTS, 51.3, ExitCode.NOT_MET, Page())
    assert "\n".join(line.plain for line in lines) == TABLE


def test_only_the_guarantee_effectively_once_is_coloured() -> None:
    lines = closing_lines(JUDGEMENTS, 51.3, ExitCode.NOT_MET, Page())
    assert [str(span.style) for line in lines for span in line.spans] == ["green"]


@pytest.mark.parametrize(
    ("amount", "figure"), [(12345, "12345"), ("120.50", "120.5"), (10**40, "1e+40")]
)
def test_figures_are_rounded_where_they_do_not_fit(amount: int | str, figure: str) -> None:
    one = scenario(1, "postgres.commit#1:after", Outcome.LOST)
    found = result(replace(one, checks=(check(Outcome.LOST, amount),)))
    last = VerdictGiven(found, ExitCode.MET, 1.0)
    judgement = Judgement(Sample("x", Guarantee.NONE), last)
    lines = closing_lines([judgement], 1.0, ExitCode.MET, Page())
    assert lines[2].plain.split()[-4] == figure


def test_no_verdicts_make_an_empty_table() -> None:
    lines = closing_lines([], 1.0, ExitCode.INTERRUPTED, Page(72, ascii=True))
    assert lines[-1].plain == "exit 130   interrupted"
    assert all(line.plain.isascii() for line in lines)


@pytest.mark.parametrize(("required", "words"), [(False, ", offset by a timer"), (True, "")])
def test_an_offset_without_a_place_in_the_cycle(required: bool, words: str) -> None:
    at = scenario(1, "kafka.offset_commit#1:after", Outcome.LOST, required=required)
    found = result(at, cycle="fetched 0-2 → begin → write → write → commit")
    assert order_words(found) == f"begin → write → commit{words}"
    assert order_words(replace(found, clean_runs=())) == "not seen"


def test_a_consumer_without_a_verdict_is_told_apart() -> None:
    last: VerdictGiven = verdict("inconclusive")
    judgement = Judgement(Sample("message-id", Guarantee.EFFECTIVELY_ONCE), last)
    lines = closing_lines([judgement], 1.0, ExitCode.INCONCLUSIVE, Page())
    assert lines[2].plain.endswith("none named")
