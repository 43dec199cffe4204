"""The demo's live lines of one consumer."""

from dataclasses import replace

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.demo_result import Sample
from killpoint.cli.progress import ProgressEvent, StillWorking, VerdictGiven, Warned
from killpoint.cli.report.demo_lines import sample_lines
from killpoint.cli.report.page import Page
from tests.support.results import clean_run, events, passed, result, verdict

SAMPLE = Sample("save-then-count", Guarantee.AT_MOST_ONCE, 12)
LIVE = """\
save-then-count     fetched 0-2 → offset 3 saved → begin → 3 writes → commit
  clean run                                                   clean               12 of 12     0.9 s
  clean run                                                   clean               12 of 12     0.9 s
  kill 1/2  postgres.commit#1:before                          lost 3              9 of 12      0.9 s
  kill 2/2  postgres.commit#1:after                           clean               12 of 12     0.9 s
  → at most once: a crash between the saved offset and COMMIT loses a batch
"""


def text_of(*happened: ProgressEvent, sample: Sample = SAMPLE) -> str:
    lines = [line.plain for event in happened for line in sample_lines(sample, event, Page())]
    return "\n".join(lines)


def test_a_whole_consumer() -> None:
    assert text_of(*events(verdict("lost"))) == LIVE


def test_a_check_without_a_total_has_no_figures() -> None:
    sample = Sample("set-state", Guarantee.EFFECTIVELY_ONCE)
    assert " of " not in text_of(*events(verdict("passed")), sample=sample).split("→")[-2]


def test_the_verdicts_that_are_not_of_one_order() -> None:
    assert text_of(verdict("passed")).strip() == "→ effectively once: not refuted by 2 kills"
    assert text_of(verdict("both")).strip() == (
        "→ no guarantee: crashes lose events and count others twice"
    )
    assert text_of(verdict("inconclusive")).strip() == (
        "→ no guarantee named: 1 of 2 required scenarios inconclusive: "
        "the moment was not reached in 30 s"
    )


def test_only_effectively_once_is_green() -> None:
    (first, _) = sample_lines(SAMPLE, verdict("passed"), Page())
    assert [str(span.style) for span in first.spans] == ["green"]
    assert sample_lines(SAMPLE, verdict("lost"), Page())[0].spans == []


def test_a_clean_run_without_an_answer_tells_why() -> None:
    found = replace(result(), clean_runs=(clean_run(Outcome.INCONCLUSIVE),))
    last = VerdictGiven(found, verdict("inconclusive").exit_code, 1.0)
    assert "the target read nothing" in text_of(*events(last))


def test_remarks_stand_with_their_consumer() -> None:
    assert text_of(Warned("bypassed", "no write was seen"), StillWorking("kill 3 of 9", 10)) == (
        "  warning  bypassed: no write was seen\n  working  kill 3 of 9, for 10.0 s"
    )
    assert passed().warnings == ()
