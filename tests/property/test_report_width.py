"""No line of any report is wider than the page or steers a terminal, whatever users name things."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.demo_result import Judgement, Sample
from killpoint.cli.errors import UserError, error_lines
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.progress import VerdictGiven, Warned
from killpoint.cli.report.demo_lines import sample_lines
from killpoint.cli.report.demo_table import closing_lines
from killpoint.cli.report.doctor import doctor_lines
from killpoint.cli.report.page import Page
from killpoint.cli.report.points import Point, Points, points_lines
from killpoint.cli.report.terminal import progress_lines
from killpoint.cli.report.verdict import verdict_lines
from killpoint.cli.result import CheckResult, KeyDifference, ScenarioResult, Warning
from tests.support.results import events, result, scenario

TEXTS = st.text(max_size=150)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Z"]), min_size=1, max_size=150)
MOMENTS = WORDS.map(lambda name: f'kafka.fetch{{topic="{name}"}}:after')
AMOUNTS = st.one_of(st.integers(0, 10**40), st.just("0.50"))
PAGES = st.builds(Page, st.integers(72, 100), st.booleans())
OPTIONAL = st.one_of(st.none(), TEXTS)


@dataclass(frozen=True)
class Found:
    name: str
    found: bool
    what: str
    remedy: str | None
    needed: bool = True


@st.composite
def checks(draw: st.DrawFn, outcome: Outcome) -> CheckResult:
    key = draw(st.dictionaries(TEXTS, TEXTS, max_size=3))
    difference = KeyDifference(key, draw(AMOUNTS), draw(AMOUNTS))
    return CheckResult(draw(TEXTS), outcome, draw(AMOUNTS), draw(AMOUNTS), (difference,), 5)


@st.composite
def scenarios(draw: st.DrawFn) -> ScenarioResult:
    outcome = draw(st.sampled_from(Outcome))
    return replace(
        scenario(draw(st.integers(1, 99)), draw(MOMENTS), outcome, draw(OPTIONAL)),
        checks=(draw(checks(outcome)),),
        unexplained=draw(st.booleans()),
        explained_by=draw(OPTIONAL),
        required=draw(st.booleans()),
        evidence=draw(OPTIONAL),
    )


@st.composite
def verdicts(draw: st.DrawFn) -> VerdictGiven:
    found = result(
        *draw(st.lists(scenarios(), max_size=5)),
        guarantee=draw(st.one_of(st.none(), st.sampled_from(Guarantee))),
        required=draw(st.one_of(st.none(), st.sampled_from(Guarantee))),
        reason=draw(OPTIONAL),
        cycle=draw(TEXTS),
    )
    warnings, unseen = (Warning("one_batch", draw(TEXTS)),), (draw(TEXTS),)
    code = draw(st.sampled_from(ExitCode))
    return VerdictGiven(replace(found, warnings=warnings, unseen=unseen), code, 99.9)


def assert_fits(lines: Iterable[Text | str], page: Page) -> None:
    for line in lines:
        text = line if isinstance(line, str) else line.plain
        assert cell_len(text) <= page.width, text
        assert text.isprintable()
        assert text.isascii() or not page.ascii


@given(verdicts(), PAGES, OPTIONAL)
def test_runs(last: VerdictGiven, page: Page, argument: str | None) -> None:
    for event in events(last, argument):
        assert_fits(progress_lines(event, page), page)
    assert_fits(verdict_lines(last, page, argument), page)


@given(verdicts(), PAGES, WORDS)
def test_the_demo(last: VerdictGiven, page: Page, name: str) -> None:
    sample = Sample(name, Guarantee.AT_LEAST_ONCE, 12)
    for event in events(last):
        assert_fits(sample_lines(sample, event, page), page)
    judgements = [Judgement(sample, last)]
    assert_fits(closing_lines(judgements, 1.0, last.exit_code, page), page)


@given(st.lists(st.builds(Point, MOMENTS, st.booleans()), max_size=4), TEXTS, PAGES)
def test_points(moments: list[Point], cycle: str, page: Page) -> None:
    assert_fits(points_lines(Points(cycle, tuple(moments)), ExitCode.MET, page), page)


@given(st.lists(st.builds(Found, TEXTS, st.booleans(), TEXTS, OPTIONAL), max_size=4), PAGES)
def test_doctor(facts: list[Found], page: Page) -> None:
    assert_fits(doctor_lines(facts, page), page)


@given(TEXTS, OPTIONAL, OPTIONAL, PAGES)
def test_errors_and_remarks(what: str, why: str | None, do: str | None, page: Page) -> None:
    assert_fits(error_lines(UserError(what, why, do), page), page)
    assert_fits(progress_lines(Warned("one_batch", what), page), page)
