"""The end of the demo: a table of the consumers, what was tried in all, the exit line.

Pure: judgements in, lines out.
"""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.demo_result import Judgement, demo_meaning
from killpoint.cli.exit_codes import ExitCode, exit_line
from killpoint.cli.report.cause import steps_of
from killpoint.cli.report.page import Page, line, padded, seconds
from killpoint.cli.report.words import count, lost_in, most, number_of, twice_in
from killpoint.cli.result import Amount, Result
from killpoint.faults.cycle import ARROW

HEADINGS: Final = ("consumer", "order seen on the wire", "kills", "lost", "twice", "guarantee")
GUARANTEE_WIDTH: Final = max(len(guarantee.value) for guarantee in Guarantee) + 2
FIGURE_WIDTH: Final = 6
NAME_LIMIT: Final = 20


def closing_lines(
    judgements: Sequence[Judgement], total_seconds: float, code: ExitCode, page: Page
) -> list[Text]:
    """The table and everything below it."""
    scenarios = [one for judgement in judgements for one in judgement.verdict.result.scenarios]
    reached = sum(scenario.reached for scenario in scenarios)
    open_ones = sum(scenario.outcome is Outcome.INCONCLUSIVE for scenario in scenarios)
    summary = (
        f"{count(len(scenarios), 'kill')}, {reached} of {count(len(scenarios), 'moment')} reached, "
        f"{open_ones} inconclusive · {seconds(total_seconds)}"
    )
    meaning = '"effectively once" means: not refuted within this sweep.'
    return [
        *_table(judgements, page),
        line(""),
        *(line(part) for text in (summary, meaning) for part in page.fold(text)),
        line(""),
        line("Next   killpoint init     try your own consumer"),
        line(""),
        line(exit_line(code, demo_meaning(code))),
    ]


def order_words(result: Result) -> str:
    """The order of the steps: "begin → write → commit → offset".

    An offset that has no fixed place in the cycle, although offsets are saved, is a timer's.
    """
    if not result.clean_runs:
        return "not seen"
    steps = [step for step in steps_of(result.clean_runs[0].cycle) if step != "fetch"]
    shown = [step for i, step in enumerate(steps) if i == 0 or steps[i - 1] != step]
    words = ARROW.join(shown)
    return f"{words}, offset by a timer" if _by_timer(result, steps) else words


def _by_timer(result: Result, steps: Sequence[str]) -> bool:
    saved = (
        fault.at.startswith("kafka.offset_commit")
        for scenario in result.scenarios
        for fault in scenario.faults
        if not scenario.required
    )
    return "offset" not in steps and any(saved)


def _table(judgements: Sequence[Judgement], page: Page) -> list[Text]:
    names = [page.clean(judgement.sample.name) for judgement in judgements]
    name_width = min(max([cell_len(name) for name in (*names, HEADINGS[0])]), NAME_LIMIT) + 2
    order_width = page.width - name_width - 3 * FIGURE_WIDTH - GUARANTEE_WIDTH - 1
    widths = (name_width, order_width)
    order = HEADINGS[1] if cell_len(HEADINGS[1]) <= order_width else "order"
    heading = _row((HEADINGS[0], order), HEADINGS[2:5], widths)
    lines = [line(f"{heading}  {HEADINGS[5]}")]
    lines.append(line(page.clean(" " + "─" * (page.width - 2))))
    for judgement, name in zip(judgements, names, strict=True):
        lines += _sample(judgement, name, widths, page)
    note = "(lost and twice: the most in one crash)"
    return [*lines, line(" " * (name_width + 1) + note)]


def _row(texts: Sequence[str], figures: Sequence[str], widths: Sequence[int]) -> str:
    left = "".join(padded(text, width) for text, width in zip(texts, widths, strict=True))
    return " " + left + "".join(padded(figure, FIGURE_WIDTH, right=True) for figure in figures)


def _sample(judgement: Judgement, name: str, widths: tuple[int, int], page: Page) -> list[Text]:
    result = judgement.verdict.result
    names = Page(widths[0] - 2, page.ascii).fold(name)
    orders = Page(widths[1] - 2, page.ascii).fold(order_words(result))
    figures = (
        str(len(result.scenarios)),
        _figure([lost_in(scenario) for scenario in result.scenarios]),
        _figure([twice_in(scenario) for scenario in result.scenarios]),
    )
    given = result.guarantee or "none named"
    style = "green" if given == Guarantee.EFFECTIVELY_ONCE else None
    first = _row((names[0], orders[0]), figures, widths)
    lines = [line(first, "  ", (given, style))]
    for i in range(1, max(len(names), len(orders))):
        more = (names[i] if i < len(names) else "", orders[i] if i < len(orders) else "")
        lines.append(line(_row(more, ("", "", ""), widths)))
    if not judgement.right:
        wrong = f"the right verdict is: {judgement.sample.right}"
        lines.append(line(padded(wrong, page.width, right=True)))
    return lines


def _figure(amounts: Sequence[Amount]) -> str:
    """The largest amount, rounded if it does not fit its column."""
    largest = most(amounts)
    number = number_of(largest)
    forms = (str(largest if number else 0), f"{number:.4g}", f"{number:.0e}")
    return next((form for form in forms if len(form) < FIGURE_WIDTH), forms[-1])
