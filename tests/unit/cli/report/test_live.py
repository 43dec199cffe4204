"""The live lines on a terminal that is none: drawn, drawn over, and gone at the end."""

import asyncio
import io

from killpoint.cli.commands.output import alive
from killpoint.cli.progress import CleanRunStarted, Preparing, StillWorking
from killpoint.cli.report.live import LiveReport, can_be_redrawn
from killpoint.cli.report.page import console_for, show
from tests.support.examined import Heard


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Watched(Terminal):
    def __init__(self) -> None:
        super().__init__()
        self.drawn = asyncio.Event()

    def write(self, text: str) -> int:
        self.drawn.set()
        return super().write(text)


CLEAR = "\x1b[2K"
ENV = {"TERM": "xterm-256color", "NO_COLOR": "1", "COLUMNS": "80"}


def test_what_can_be_redrawn() -> None:
    assert can_be_redrawn(console_for(Terminal(), ENV))
    assert not can_be_redrawn(console_for(Terminal(), {"TERM": "dumb"}))
    assert not can_be_redrawn(console_for(io.StringIO(), {**ENV, "FORCE_COLOR": "1"}))


def test_lines_are_drawn_below_what_is_printed_and_go_at_the_end() -> None:
    terminal, heard, now = Terminal(), Heard(), [0.0]
    console = console_for(terminal, ENV)
    heard.then = lambda event: show(console, [f"printed {type(event).__name__}"])
    with LiveReport(heard, console, lambda: now[0]) as live:
        live.on(Preparing("fetching jars"))
        now[0] = 4.0
        live.on(CleanRunStarted(1))
        live.on(StillWorking("clean run 1", 10.0))
    written = terminal.getvalue()
    assert heard.kinds == ["Preparing", "CleanRunStarted"]
    assert "fetching jars" in written and "clean run 1" in written
    last = written.rindex("clean run 1")
    assert written.index("printed CleanRunStarted") < last
    assert CLEAR in written[last:], "the live line stays"
    assert "\x1b[31m" not in written


async def test_a_log_has_no_live_lines() -> None:
    log, heard = io.StringIO(), Heard()
    async with alive(heard, console_for(log, {})) as reader:
        reader.on(CleanRunStarted(1))
    assert heard.kinds == ["CleanRunStarted"]
    assert log.getvalue() == ""


async def test_the_time_goes_by_on_a_terminal() -> None:
    terminal, heard = Watched(), Heard()
    async with alive(heard, console_for(terminal, ENV)) as reader:
        reader.on(CleanRunStarted(1))
        terminal.drawn.clear()
        async with asyncio.timeout(20):
            await terminal.drawn.wait()
    assert "clean run 1" in terminal.getvalue()
