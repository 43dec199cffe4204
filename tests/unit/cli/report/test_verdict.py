"""The end of a run: golden texts of each kind, and the colours of the words."""

from dataclasses import replace

import pytest

from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.page import Page
from killpoint.cli.report.verdict import heading_word, verdict_lines
from killpoint.cli.result import Guarantee
from tests.support.results import KINDS, verdict

FAILED = """\

Warning  one_batch: all events came in one batch: lower the batch size

FAILED   required: effectively once      given: at least once
         lost: none      counted twice: at most 3 a crash, in 4 of 6 scenarios
         at least once under one kill: 5 of 6 moments (5 required)
         5 of 6 scenarios reached · 1 inconclusive · 12.3 s
         0 of 1 reached that depend on time and are not required

Why      The offset is saved after COMMIT. A crash between the two repeats the batch (S02).
           clicks per link   code=link-1   expected      1   actual      2
           clicks per link   code=link-2 currency=EUR   expected 120.50   actual 180.75   1 more
           postgres.commit#1:after   clicks-0: fetched to 3, no offset saved, end 12
           evidence   .killpoint/runs/r1/S02
Cure     Store the offset in the same transaction, or reject known message IDs.
Again    killpoint run --at 'postgres.commit#1:after' --action kill
         killpoint run --at 'kafka.offset_commit#1:before' --action kill
         killpoint run --at 'kafka.offset_commit{topic="clicks",partition=0,offset=6}:before' \\
           --action kill
         and 1 other: postgres.commit#2:after

Unseen   connections past killpoint, caches, clocks

exit 1   the requirement is not met"""

PASSED = """\

PASSED   required: effectively once      given: effectively once
         lost: none      counted twice: none
         effectively once under one kill: 2 of 2 moments
         2 of 2 scenarios reached · 0 inconclusive · 12.3 s
         "effectively once" means: not refuted within this sweep.

exit 0   the requirement is met"""

INCONCLUSIVE = """\

INCONCLUSIVE   required: at least once      given: none named
         1 of 2 required scenarios inconclusive: the moment was not reached in 30 s
         lost: none      counted twice: none
         no guarantee named under one kill: 1 of 2 moments
         1 of 2 scenarios reached · 1 inconclusive · 12.3 s

Open     postgres.commit#9:after: the moment was not reached in 30 s

exit 3   inconclusive"""

WRONG = """\

FAILED   required: nothing      given: none named
         wrong without any fault: the consumer or the check
         lost: none      counted twice: 3
         no guarantee named under one kill: 0 of 0 moments
         0 of 0 scenarios reached · 0 inconclusive · 12.3 s

Why      Clean run 1: counted twice.
           clicks per link   code=link-1   expected      1   actual      2
           clicks per link   code=link-2 currency=EUR   expected 120.50   actual 180.75   1 more

exit 1   wrong without any fault"""

AUDIT = """\

DONE     the totals agree with the events
         lost: none      counted twice: none
         without faults: 1 run · 12.3 s

exit 0   clean"""


def text_of(kind: str, page: Page | None = None) -> str:
    return "\n".join(line.plain for line in verdict_lines(verdict(kind), page or Page()))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("failed", FAILED),
        ("passed", PASSED),
        ("inconclusive", INCONCLUSIVE),
        ("wrong", WRONG),
        ("audit", AUDIT),
    ],
)
def test_the_whole_text(kind: str, text: str) -> None:
    assert text_of(kind) == text


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("failed", "FAILED"),
        ("passed", "PASSED"),
        ("lost", "DONE"),
        ("stuck", "FAILED"),
        ("inconclusive", "INCONCLUSIVE"),
        ("interrupted", "INTERRUPTED"),
    ],
)
def test_the_verdict_in_one_word(kind: str, word: str) -> None:
    assert heading_word(*KINDS[kind]) == word


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_tells_its_bound_and_never_says_proved(kind: str) -> None:
    text = text_of(kind)
    assert "under one kill: " in text or "without faults: " in text
    assert "prove" not in text
    assert text.splitlines()[-1].startswith(f"exit {KINDS[kind][1].value}   ")


def styles(kind: str) -> dict[str, str]:
    """The coloured words, with their colour."""
    return {
        line.plain[span.start : span.end].strip(): str(span.style)
        for line in verdict_lines(verdict(kind), Page())
        for span in line.spans
        if str(span.style) != "bold"
    }


def test_green_is_for_effectively_once_and_yellow_for_inconclusive() -> None:
    assert styles("passed") == {"effectively once": "green"}
    assert styles("inconclusive") == {"INCONCLUSIVE": "bold yellow"}
    assert styles("failed") == {}


def test_a_guarantee_without_a_conclusion_is_still_told() -> None:
    last = verdict("inconclusive")
    bounded = replace(last.result, guarantee=Guarantee.AT_LEAST_ONCE)
    lines = verdict_lines(replace(last, result=bounded), Page())
    assert lines[1].plain.endswith("given: at least once")
    assert heading_word(bounded, ExitCode.INCONCLUSIVE) == "INCONCLUSIVE"


def test_events_that_the_topic_holds_again_are_said() -> None:
    given = verdict("passed")
    told = replace(given, result=replace(given.result, source_duplicates=2))
    text = " ".join("\n".join(line.plain for line in verdict_lines(told, Page())).split())
    assert (
        "Notice source duplicates: 2 (events that stand in their topic again, with the same key, "
        "value and headers); the consumer is judged by offset, so each of them counts"
    ) in text
    assert "Notice " not in "\n".join(line.plain for line in verdict_lines(given, Page()))
