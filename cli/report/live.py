"""The live lines of a terminal: drawn anew several times a second, below what is printed for good.

Stands before another reader and passes every event on, but for signs of life: the lines are one.
Counterpart: `live_lines` says what they are. Nothing of them stays, and a log never sees any.
"""

import asyncio
from collections.abc import Callable
from time import monotonic
from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group
from rich.live import Live

from killpoint.cli.progress import ProgressEvent, Reporter, StillWorking
from killpoint.cli.report.live_lines import Work
from killpoint.cli.report.page import page_for

INTERVAL: Final = 0.2


def can_be_redrawn(console: Console) -> bool:
    """Whether it is a terminal that can move its cursor, whatever colours are wanted."""
    return console.file.isatty() and not console.is_dumb_terminal


class LiveReport:
    """A reader; a context manager, as the terminal must be left as it was."""

    def __init__(
        self, reader: Reporter, console: Console, clock: Callable[[], float] = monotonic
    ) -> None:
        self._reader = reader
        self._console = console
        self._clock = clock
        self._work = Work(clock())
        self._live = Live(
            console=console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            get_renderable=self._drawn,
        )

    def on(self, event: ProgressEvent) -> None:
        self._work.on(event, self._clock())
        if not isinstance(event, StillWorking):
            self._reader.on(event)
            self._live.refresh()

    async def draw(self) -> None:
        """Draw the time as it goes by; runs until it is cancelled."""
        while True:
            self._live.refresh()
            await asyncio.sleep(INTERVAL)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()

    def _drawn(self) -> Group:
        return Group(*self._work.lines(self._clock(), page_for(self._console)))
