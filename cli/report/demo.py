"""`killpoint demo` for people: the kills of each consumer as they happen, and a table at the end.

A reader of several sessions at once. Consumers that run side by side are shown one after the other:
the first of those that are not done is live, the lines of the others wait for their turn.
"""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from killpoint import __version__
from killpoint.cli.demo_result import Judgement, Sample, demo_exit_code
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.progress import (
    Interrupted,
    ProgressEvent,
    Reporter,
    StackReady,
    StillWorking,
    VerdictGiven,
)
from killpoint.cli.report.demo_lines import sample_lines
from killpoint.cli.report.demo_table import closing_lines
from killpoint.cli.report.heartbeat import activity_of
from killpoint.cli.report.page import line, page_for, show
from killpoint.cli.report.terminal import progress_lines, stack_words


class DemoReport:
    """`out` gets the table and what follows, `progress` all that comes before."""

    def __init__(self, out: Console, progress: Console, samples: Sequence[Sample]) -> None:
        self._out = out
        self._progress = progress
        self._samples = tuple(samples)
        self._waiting: dict[str, list[Text]] = {sample.name: [] for sample in samples}
        self._judgements: dict[str, Judgement] = {}
        self._activities: dict[str, str] = {}
        self._silent = False
        self._interrupted = False

    def on(self, event: ProgressEvent) -> None:
        """An event that belongs to no consumer: preparing, the stack, an interruption."""
        page = page_for(self._progress)
        self._interrupted = self._interrupted or isinstance(event, Interrupted)
        if isinstance(event, StillWorking) and self._activities:
            self._sign_of_life()
        elif isinstance(event, StackReady):
            stack = page.fold(f"killpoint {__version__} · {stack_words(event)}")
            show(self._progress, [*(line(part) for part in stack), *self._introduction()])
        else:
            show(self._progress, progress_lines(event, page))

    def reader(self, sample: Sample) -> Reporter:
        """The reader of one consumer's session."""
        return _SampleReader(self, sample)

    def tell(self, sample: Sample, event: ProgressEvent) -> None:
        """Show an event of one consumer, now or when its turn comes."""
        if activity := activity_of(event):
            self._activities[sample.name] = activity
        lines = sample_lines(sample, event, page_for(self._progress))
        self._waiting[sample.name] += lines
        if isinstance(event, VerdictGiven):
            self._judgements[sample.name] = Judgement(sample, event)
        self._show_front()

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """The verdicts given so far, in the order of the samples."""
        names = [sample.name for sample in self._samples]
        return tuple(self._judgements[name] for name in names if name in self._judgements)

    def finish(self, seconds: float) -> ExitCode:
        """Show what still waits and the table; gives the exit code that was printed."""
        for name in self._waiting:
            self._flush(name)
        code = demo_exit_code(self.judgements, len(self._samples))
        code = ExitCode.INTERRUPTED if self._interrupted else code
        show(self._out, closing_lines(self.judgements, seconds, code, page_for(self._out)))
        return code

    def _introduction(self) -> list[Text]:
        totals = {sample.total for sample in self._samples if sample.total is not None}
        clicks = f"the same {max(totals)} clicks" if totals else "the same clicks"
        text = (
            f"{len(self._samples)} consumers count {clicks}. Each is killed wherever it can break."
        )
        return [*(line(part) for part in page_for(self._progress).fold(text)), line("")]

    def _sign_of_life(self) -> None:
        """Tell what the live consumer does, unless something was shown since the last time."""
        front = next((s.name for s in self._samples if s.name not in self._judgements), "")
        if self._silent and front in self._activities:
            text = f"{front}: {self._activities[front]}"
            folded = page_for(self._progress).fold(text, "  working  ")
            show(self._progress, [line(part) for part in folded])
        self._silent = True

    def _show_front(self) -> None:
        """Show the first consumer that is not done, and those before it."""
        for sample in self._samples:
            self._flush(sample.name)
            if sample.name not in self._judgements:
                return

    def _flush(self, name: str) -> None:
        lines, self._waiting[name] = self._waiting[name], []
        self._silent = self._silent and not lines
        show(self._progress, lines)


class _SampleReader:
    """The events of one consumer's session, on their way to the demo's report."""

    def __init__(self, report: DemoReport, sample: Sample) -> None:
        self._report = report
        self._sample = sample

    def on(self, event: ProgressEvent) -> None:
        self._report.tell(self._sample, event)
