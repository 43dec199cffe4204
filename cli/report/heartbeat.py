"""A sign of life in a log: what is being done, whenever nothing else was said for a while.

Stands before another reader and passes every event on. It knows the time; the reports do not.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from killpoint.cli.progress import (
    CleanRunStarted,
    Preparing,
    ProgressEvent,
    Reporter,
    ScenarioStarted,
    StillWorking,
    TargetJoined,
    TargetStarted,
)
from killpoint.cli.report.waiting import Waiting

INTERVAL: Final = 10.0
"""Seconds of silence that a log never exceeds."""


class Heartbeat:
    """A reader that remembers what runs; `beat` speaks up for it while it is silent."""

    def __init__(
        self,
        reader: Reporter,
        interval: float = INTERVAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader = reader
        self._interval = interval
        self._clock = clock
        self._activity, self._lane = "starting", 1
        self._since = self._spoke = clock()
        self._waiting = Waiting()

    def on(self, event: ProgressEvent) -> None:
        now = self._clock()
        self._waiting.on(event, now)
        if not isinstance(event, TargetStarted | TargetJoined):  # of which a log says nothing
            self._spoke = now
        if activity := activity_of(event):
            self._activity, self._since = activity, now
            self._lane = event.lane if isinstance(event, ScenarioStarted) else 1
        self._reader.on(event)

    async def beat(self) -> None:
        """Speak up after each silence; runs until it is cancelled."""
        while True:
            silent = self._clock() - self._spoke
            if silent >= self._interval:
                self._spoke = self._clock()
                self._reader.on(StillWorking(self._doing(), self._spoke - self._since))
                silent = 0.0
            await asyncio.sleep(self._interval - silent)

    def _doing(self) -> str:
        waiting = self._waiting.words(self._lane, self._spoke)
        return f"{self._activity}, {waiting}" if waiting else self._activity


def activity_of(event: ProgressEvent) -> str | None:
    """What an event begins, in words; None if it begins nothing."""
    match event:
        case Preparing(text):
            return text
        case CleanRunStarted(index):
            return f"clean run {index}"
        case ScenarioStarted(index, total, scenario):
            return f"scenario {index} of {total}, {scenario}"
        case _:
            return None
