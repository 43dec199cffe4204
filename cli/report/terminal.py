"""`killpoint run` and `killpoint audit` for people: one line a step while it works, then the end.

A reader of a session's events. Progress goes to one console (standard error), the result to another
(standard output); nothing is ever redrawn, so that a log reads like the terminal.
"""

from rich.console import Console
from rich.text import Text

from killpoint import __version__
from killpoint.cli.progress import (
    CleanRunFinished,
    ConfigurationUsed,
    CycleSeen,
    Interrupted,
    LanesChosen,
    Preparing,
    ProgressEvent,
    ScenarioFinished,
    StackReady,
    StillWorking,
    SweepPlanned,
    VerdictGiven,
    Warned,
)
from killpoint.cli.report.page import Page, line, padded, page_for, seconds, show
from killpoint.cli.report.row import Row, row_lines, scenario_lines, scenario_row
from killpoint.cli.report.verdict import verdict_lines
from killpoint.cli.report.words import count, reason_and_remedy, title_of

LABEL = 12


class TerminalReport:
    """Prints each event as it comes; `out` gets the result, `progress` all that comes before."""

    def __init__(self, out: Console, progress: Console) -> None:
        self._out = out
        self._progress = progress
        self._argument: str | None = None

    def on(self, event: ProgressEvent) -> None:
        if isinstance(event, VerdictGiven):
            page = page_for(self._out)
            show(self._out, verdict_lines(event, page, self._argument))
            return
        if isinstance(event, ConfigurationUsed):
            self._argument = event.argument
        show(self._progress, progress_lines(event, page_for(self._progress)))


def progress_lines(event: ProgressEvent, page: Page) -> list[Text]:
    """The lines of one event before the verdict; none where its end says it all."""
    match event:
        case ConfigurationUsed():
            return _header(event, page)
        case CleanRunFinished():
            return _clean_run(event, page)
        case SweepPlanned():
            return _sweep(event, page)
        case ScenarioFinished():
            return _scenario(event, page)
        case _:
            label, text = _remark(event)
            return _labelled(label, text, page) if label else []


def _remark(event: ProgressEvent) -> tuple[str, str]:
    """The label and the text of an event that is one sentence."""
    match event:
        case Preparing(text):
            return "preparing", text
        case StackReady():
            return "stack", stack_words(event)
        case CycleSeen(text):
            return "cycle", text
        case LanesChosen(text):
            return "lanes", text
        case StillWorking(text, time):
            return "working", f"{text}, for {seconds(time)}"
        case Warned(name, text):
            return "warning", f"{name}: {text}"
        case Interrupted():
            return "interrupted", "ending what runs; a partial result follows"
        case _:
            return "", ""


def _labelled(label: str, text: str, page: Page) -> list[Text]:
    return [line(part) for part in page.fold(text, padded(label, LABEL))]


def _header(event: ConfigurationUsed, page: Page) -> list[Text]:
    lines = [line(part) for part in page.fold(f"killpoint {__version__} · {event.path}")]
    for label, text in event.facts:
        lines += _labelled(label, text, page)
    return lines


def stack_words(event: StackReady) -> str:
    """The servers, and how long they took."""
    reason = f" ({event.reason})" if event.reason else ""
    return f"{event.stack}: {event.description} · ready in {seconds(event.seconds)}{reason}"


def _clean_run(event: CleanRunFinished, page: Page) -> list[Text]:
    result = event.result
    row = Row(
        f"clean run {event.index}  ", "", result.outcome, result.outcome, _time(event.seconds)
    )
    happened, _ = reason_and_remedy(result.reason or "")
    reason = page.fold(happened, " " * LABEL) if happened else []
    return [*row_lines(row, page), *(line(part) for part in reason)]


def _sweep(event: SweepPlanned, page: Page) -> list[Text]:
    moments = f"{count(event.moments, 'moment')}, {event.required} of them required"
    plan = f"{count(event.scenarios, 'scenario')}, about {seconds(event.estimate_seconds)}"
    plan += f" · seed {event.seed}" if event.seed else ""
    return [*_labelled("sweep", f"{moments} · depth {event.depth}: {plan}", page), line("")]


def _scenario(event: ScenarioFinished, page: Page) -> list[Text]:
    width = len(str(event.total))
    lead = f"  {event.index:>{width}}/{event.total}  "
    row = scenario_row(
        lead, title_of(event.result), event.result, _time(event.result.seconds.total)
    )
    return scenario_lines(row, event.result, page)


def _time(number: float) -> str:
    return padded(seconds(number), 8, right=True)
