"""The demo's live lines of one consumer: its cycle, its clean runs, its kills, its verdict.

Pure: an event in, lines out. The order between consumers is `demo`'s.
"""

from collections.abc import Iterable
from decimal import Decimal

from rich.cells import cell_len
from rich.text import Text

from killpoint.checks.guarantee import Guarantee
from killpoint.cli.demo_result import Sample
from killpoint.cli.progress import (
    CleanRunFinished,
    ProgressEvent,
    ScenarioFinished,
    StillWorking,
    VerdictGiven,
    Warned,
)
from killpoint.cli.report.cause import cause_of
from killpoint.cli.report.page import Page, line, padded, seconds
from killpoint.cli.report.row import Row, row_lines, scenario_lines, scenario_row
from killpoint.cli.report.words import GUARANTEE_MISSING, count, most, name_of, number_of
from killpoint.cli.result import CheckResult, Result

NAME = 20


def sample_lines(sample: Sample, event: ProgressEvent, page: Page) -> list[Text]:
    """The lines of one event; none for those that say nothing here."""
    match event:
        case CleanRunFinished():
            return _clean_run(sample, event, page)
        case ScenarioFinished():
            return _kill(sample, event, page)
        case Warned(name, text):
            return [line(part) for part in page.fold(f"{name}: {text}", "  warning  ")]
        case StillWorking(text, time):
            words = f"{text}, for {seconds(time)}"
            return [line(part) for part in page.fold(words, "  working  ")]
        case VerdictGiven():
            return _verdict(event.result, page)
        case _:
            return []


def _clean_run(sample: Sample, event: CleanRunFinished, page: Page) -> list[Text]:
    result = event.result
    name = page.clean(sample.name)
    fits = cell_len(name) < NAME
    heading = [] if fits else page.fold(name)
    heading += page.fold(result.cycle, padded(name if fits else "", NAME))
    tail = _tail(sample, result.checks, event.seconds)
    row = Row("  clean run  ", "", result.outcome, result.outcome.value, tail)
    reason = page.fold(result.reason, "  ") if result.reason else []
    above = heading if event.index == 1 else []
    return [*map(line, above), *row_lines(row, page), *map(line, reason)]


def _kill(sample: Sample, event: ScenarioFinished, page: Page) -> list[Text]:
    result = event.result
    lead = f"  kill {event.index:>{len(str(event.total))}}/{event.total}  "
    tail = _tail(sample, result.checks, result.seconds.total)
    return scenario_lines(scenario_row(lead, name_of(result), result, tail), result, page)


def _tail(sample: Sample, checks: Iterable[CheckResult], time: float) -> str:
    """What was counted of what, where the check has a total, and the time."""
    return f"{padded(_counted(sample, list(checks)), 10)}{padded(seconds(time), 8, right=True)}"


def _counted(sample: Sample, checks: list[CheckResult]) -> str:
    if sample.total is None or not checks:
        return ""
    lost, twice = most(c.lost for c in checks), most(c.counted_twice for c in checks)
    counted: Decimal = sample.total - number_of(lost) + number_of(twice)
    return f"{counted} of {sample.total}"


def _verdict(result: Result, page: Page) -> list[Text]:
    given = result.guarantee or GUARANTEE_MISSING
    lines = [line(part) for part in page.fold(f"{given}: {_why(result)}", page.clean("  → "))]
    if result.guarantee is Guarantee.EFFECTIVELY_ONCE:
        lines[0].highlight_words([given], "green")
    return [*lines, line("")]


def _why(result: Result) -> str:
    """The causes in a few words, or how much was tried without any."""
    if result.guarantee is Guarantee.NONE:
        return "crashes lose events and count others twice"
    cycle = result.clean_runs[0].cycle if result.clean_runs else ""
    causes = [cause_of(scenario, cycle) for scenario in result.scenarios]
    short = dict.fromkeys(cause.short for cause in causes if cause)
    if short:
        return "; ".join(short)
    if result.reason:
        return result.reason
    return f"not refuted by {count(len(result.scenarios), 'kill')}"
