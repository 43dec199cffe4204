"""Rows: columns where they fit, lines of their own where they do not, and loud remarks."""

from dataclasses import replace

from killpoint.checks.outcome import Outcome
from killpoint.cli.report.page import Page
from killpoint.cli.report.row import Row, row_lines, scenario_lines, scenario_row
from killpoint.cli.result import Exposure
from tests.support.results import LONG_MOMENT, check, scenario

AT = "postgres.commit#1:after"
TAIL = "   0.9 s"


def text_of(row: Row, width: int = 80) -> list[str]:
    return [one.plain for one in row_lines(row, Page(width))]


def test_a_row_in_columns() -> None:
    row = Row("  1/9  ", AT, Outcome.LOST, "lost 3", TAIL)
    assert text_of(row) == [
        "  1/9  postgres.commit#1:after                      lost 3                 0.9 s"
    ]


def test_a_long_moment_stays_whole() -> None:
    above, below = text_of(Row("  1/9  ", LONG_MOMENT, Outcome.CLEAN, "clean", TAIL))
    assert above == f"  1/9  {LONG_MOMENT}"
    assert below.split() == ["clean", "0.9", "s"]


def test_only_the_outcome_is_coloured() -> None:
    row = Row("  1/9  ", AT, Outcome.COUNTED_TWICE, "counted twice 3", TAIL)
    (line,) = row_lines(row, Page())
    assert [str(span.style) for span in line.spans] == ["red"]
    assert line.plain[line.spans[0].start : line.spans[0].end].strip() == "counted twice 3"


def test_a_huge_amount_gets_a_line_of_its_own() -> None:
    row = Row("  1/9  ", AT, Outcome.LOST, f"lost {10**30}", TAIL)
    assert text_of(row) == [f"  1/9  {AT}", f"        lost {10**30}  0.9 s"]


def test_the_reason_stands_below_an_inconclusive_row() -> None:
    one = scenario(1, AT, Outcome.INCONCLUSIVE, "not reached in 30 s")
    lines = scenario_lines(scenario_row("  1/9  ", AT, one, TAIL), one, Page())
    assert lines[1].plain == "       not reached in 30 s"


def test_what_is_unexplained_is_said_loudly() -> None:
    checked = replace(check(Outcome.LOST), exposure=Exposure(1, 0))
    one = replace(scenario(1, AT, Outcome.LOST), checks=(checked,), unexplained=True)
    lines = scenario_lines(scenario_row("  1/9  ", AT, one, TAIL), one, Page())
    assert " ".join(line.plain.strip() for line in lines[1:]) == (
        "UNEXPLAINED: more than the crash state could cost; "
        "clicks per link: lost 3, twice 0, at most lost 1, twice 0"
    )


def test_what_is_explained_by_the_restart_is_said() -> None:
    one = replace(scenario(1, AT, Outcome.LOST), explained_by="the restart skipped one")
    lines = scenario_lines(scenario_row("  1/9  ", AT, one, TAIL), one, Page())
    assert lines[-1].plain.strip() == (
        "more than the crash state could cost, explained: the restart skipped one"
    )
