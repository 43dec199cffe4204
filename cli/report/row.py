"""A row of a live report: what was run, its outcome, some figures; and what must be said below it.

Used by `terminal` and `demo`. A name that is wider than its column gets lines of its own, as it
must stay whole: every printed moment can be pasted back.
"""

from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from killpoint.cli.report.page import Page, line, padded
from killpoint.cli.report.words import outcome_style, outcome_words
from killpoint.cli.result import CheckResult, Outcome, ScenarioResult

OUTCOME_WIDTH = 17
NAMES_END = 62


@dataclass(frozen=True, slots=True)
class Row:
    """`lead` numbers it, `tail` has figures that are laid out already."""

    lead: str
    name: str
    outcome: Outcome
    words: str
    tail: str


def row_lines(row: Row, page: Page) -> list[Text]:
    """The row in one line, or in several where it does not fit."""
    end = min(page.width - OUTCOME_WIDTH - cell_len(row.tail) - 4, NAMES_END)
    width = end - cell_len(row.lead)
    name = page.clean(row.name)
    above = [] if cell_len(name) <= width else [line(part) for part in page.fold(name, row.lead)]
    start = row.lead + padded(name, width) if not above else padded("", cell_len(row.lead) + width)
    words = page.clean(row.words)
    if cell_len(start) + max(cell_len(words), OUTCOME_WIDTH) + cell_len(row.tail) + 4 > page.width:
        rest = f"{words}  {row.tail.strip()}"
        head = above or [line(start)]
        return [*head, *(line(part) for part in page.fold(rest, " " * 8))]
    figures = f"  {row.tail}"
    outcome = padded(words, OUTCOME_WIDTH)
    return [*above, line(start, "  ", (outcome, outcome_style(row.outcome)), figures)]


def scenario_lines(row: Row, scenario: ScenarioResult, page: Page) -> list[Text]:
    """The row of a scenario, why it is inconclusive or stuck, and loudly what is unexplained."""
    indent = " " * cell_len(row.lead)
    below: list[str] = []
    if scenario.reason and scenario.outcome in ("inconclusive", "stuck"):
        below += page.fold(scenario.reason, indent)
    if scenario.unexplained:
        below += page.fold(unexplained_words(scenario), indent)
    return [*row_lines(row, page), *(line(part) for part in below)]


def scenario_row(lead: str, name: str, scenario: ScenarioResult, tail: str) -> Row:
    """The row of a scenario."""
    return Row(lead, name, scenario.outcome, outcome_words(scenario), tail)


def unexplained_words(scenario: ScenarioResult) -> str:
    """That an outcome is more than its crash state could cost, with both figures."""
    costs = [_cost(check) for check in scenario.checks if check.outcome != "clean"]
    return "; ".join(["UNEXPLAINED: more than the crash state could cost", *filter(None, costs)])


def _cost(check: CheckResult) -> str:
    if check.exposure is None:
        return ""
    worst = f"lost {check.exposure.lost}, twice {check.exposure.counted_twice}"
    return f"{check.name}: lost {check.lost}, twice {check.counted_twice}, at most {worst}"
