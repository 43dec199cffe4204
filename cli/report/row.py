"""A row of a live report: what was run, its outcome, some figures; and what must be said below it.

Used by `terminal` and `demo`. A name that is wider than its column gets lines of its own, as it
must stay whole: every printed moment can be pasted back.
"""

from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from killpoint.checks.outcome import Outcome
from killpoint.cli.report.page import Page, line, padded
from killpoint.cli.report.words import outcome_style, outcome_words
from killpoint.cli.result import CheckResult, ScenarioResult

OUTCOME_WIDTH = 18
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
    name, words = page.clean(row.name), page.clean(row.words)
    above: list[str] = []
    start = padded(row.lead + name, end)
    if cell_len(start) > end:
        above = page.fold(name, row.lead)
        start = " " * end
    outcome = padded(words, OUTCOME_WIDTH)
    if cell_len(start) + cell_len(outcome) + cell_len(row.tail) + 4 > page.width:
        above += [start] if start.strip() else []
        rest = page.fold(f"{words}  {row.tail.strip()}", " " * 8)
        return [line(part) for part in (*above, *rest)]
    shown = line(start, "  ", (outcome, outcome_style(row.outcome)), f"  {row.tail}")
    return [*(line(part) for part in above), shown]


def scenario_lines(row: Row, scenario: ScenarioResult, page: Page) -> list[Text]:
    """The row of a scenario, why it is inconclusive or stuck, and loudly what is unexplained."""
    indent = " " * cell_len(row.lead)
    below: list[str] = []
    if scenario.reason and scenario.outcome in (Outcome.INCONCLUSIVE, Outcome.STUCK):
        below += page.fold(scenario.reason, indent)
    if scenario.unexplained:
        below += page.fold(unexplained_words(scenario), indent)
    if scenario.explained_by:
        below += page.fold(explained_words(scenario.explained_by), indent)
    return [*row_lines(row, page), *(line(part) for part in below)]


def scenario_row(lead: str, name: str, scenario: ScenarioResult, tail: str) -> Row:
    """The row of a scenario."""
    return Row(lead, name, scenario.outcome, outcome_words(scenario), tail)


def unexplained_words(scenario: ScenarioResult) -> str:
    """That an outcome is more than its crash state could cost, with both figures."""
    costs = [_cost(check) for check in scenario.checks if check.outcome is not Outcome.CLEAN]
    return "; ".join(["UNEXPLAINED: more than the crash state could cost", *filter(None, costs)])


def explained_words(by: str) -> str:
    """What the target did after its restart to lose more than the crash state could cost."""
    return f"more than the crash state could cost, explained: {by}"


def _cost(check: CheckResult) -> str:
    if check.exposure is None:
        return ""
    worst = f"lost {check.exposure.lost}, twice {check.exposure.counted_twice}"
    return f"{check.name}: lost {check.lost}, twice {check.counted_twice}, at most {worst}"
