"""The last lines of a terminal while killpoint works: each lane, how far it is, time left. Pure.

Events with their time in, lines out. Counterpart: `live` draws them below what is printed for good;
a log has none of them.
"""

from collections import Counter
from dataclasses import dataclass, field

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from killpoint.checks.outcome import Outcome
from killpoint.cli.progress import (
    Interrupted,
    ProgressEvent,
    ScenarioFinished,
    ScenarioStarted,
    SweepPlanned,
)
from killpoint.cli.report.heartbeat import activity_of
from killpoint.cli.report.page import Page, about, line, padded, seconds
from killpoint.cli.report.waiting import Waiting
from killpoint.cli.report.words import outcome_style

_BEGINNING = "starting"
_LEAST_NAME = 24
"""Cells that a line's beginning keeps, whatever else there is to say."""


@dataclass(slots=True)
class Work:
    """What is under way. `since` and all other times are seconds of one clock."""

    since: float
    _activity: str = _BEGINNING
    _lanes: dict[int, tuple[ScenarioStarted, float]] = field(
        default_factory=dict[int, tuple[ScenarioStarted, float]]
    )
    _waiting: Waiting = field(default_factory=Waiting)
    _outcomes: dict[int, Outcome] = field(default_factory=dict[int, Outcome])
    _expected: float = 0.0
    _total: int = 0

    def on(self, event: ProgressEvent, now: float) -> None:
        """Take note of an event."""
        self._waiting.on(event, now)
        match event:
            case SweepPlanned():
                self._total, self._expected = event.scenarios, event.estimate_seconds
                self._activity, self.since = "", now
            case ScenarioStarted():
                self._lanes[event.lane] = (event, now)
                self._total = event.total
            case ScenarioFinished():
                self._lanes.pop(event.result.lane, None)
                self._outcomes[event.index] = event.result.outcome
                self._total = event.total
            case Interrupted():
                self._lanes.clear()
                self._activity, self.since = "ending what runs", now
            case _:
                if activity := activity_of(event):
                    self._activity, self.since = activity, now

    def lines(self, now: float, page: Page) -> list[Text]:
        """What is to be seen at a time."""
        if self._activity:
            waiting = self._waiting.words(1, now)
            return [_timed(page.clean(f"  {self._activity}"), now - self.since, page, waiting)]
        running = sorted(self._lanes.items())
        width = len(str(self._total))
        rows = [
            _timed(
                page.clean(
                    f"  lane {lane}  {begun.index:>{width}}/{self._total}  {begun.scenario}"
                ),
                now - since,
                page,
                self._waiting.words(lane, now),
            )
            for lane, (begun, since) in running
        ]
        return [*rows, self._counts(now, page)]

    def _counts(self, now: float, page: Page) -> Text:
        counted = Counter(self._outcomes.values())
        text = Text(page.clean(f"  {len(self._outcomes)} of {self._total} done"), no_wrap=True)
        for outcome, count in sorted(counted.items(), key=lambda pair: -pair[1]):
            text.append(page.clean(" · "))
            text.append(f"{outcome.value} {count}", outcome_style(outcome))
        if left := self._left(now):
            text.append(page.clean(f" · about {about(left)} left"))
        text.truncate(page.width)
        return text

    def _left(self, now: float) -> float:
        """Seconds that the rest will take: as what is done has taken, or as was estimated."""
        done, spent = len(self._outcomes), now - self.since
        if not done:
            return max(0.0, round(self._expected - spent))
        return round((self._total - done) * spent / done)


def _timed(text: str, time: float, page: Page, beside: str = "") -> Text:
    """A line with its time at the end of the page; a text that is too wide is cut, not folded.

    `beside` stands before the time if there is room.
    """
    end = padded(seconds(time), 9, right=True)
    if beside and page.width >= _LEAST_NAME + cell_len(beside) + cell_len(end):
        end = f" {beside}{end}"
    room = page.width - cell_len(end)
    if cell_len(text) > room:
        dots = page.clean("…")
        text = set_cell_size(text, room - cell_len(dots)) + dots
    return line(padded(text, room), end)
