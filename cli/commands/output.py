"""Where a command's output goes: the result to standard output, progress to standard error."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path

from rich.console import Console

from killpoint.cli.progress import Reporter, VerdictGiven
from killpoint.cli.report.heartbeat import Heartbeat
from killpoint.cli.report.json_file import STDOUT, write_json
from killpoint.cli.report.junit import write_junit
from killpoint.cli.report.live import LiveReport, can_be_redrawn
from killpoint.cli.report.page import console_for
from killpoint.cli.report.whole_file import check_writable


def consoles(json: str | None) -> tuple[Console, Console]:
    """The result's console and that of the progress; the JSON on stdout has it for itself."""
    progress = console_for(sys.stderr)
    return (progress if json == STDOUT else console_for(sys.stdout)), progress


def check_reports(json: str | None, junit: Path | None = None) -> None:
    """Raise UserError before anything starts if a file that is asked for cannot be written."""
    if json is not None and json != STDOUT:
        check_writable(Path(json))
    if junit is not None:
        check_writable(junit)


@asynccontextmanager
async def alive(reader: Reporter, console: Console) -> AsyncGenerator[Reporter, None]:
    """A reader with live lines on a terminal, else with a sign of life in long silences."""
    if not can_be_redrawn(console):
        async with beating(reader) as heartbeat:
            yield heartbeat
        return
    with LiveReport(reader, console) as live:
        async with _beside(live.draw()):
            yield live


@asynccontextmanager
async def beating(reader: Reporter) -> AsyncGenerator[Reporter, None]:
    """A reader with a sign of life in long silences."""
    heartbeat = Heartbeat(reader)
    async with _beside(heartbeat.beat()):
        yield heartbeat


@asynccontextmanager
async def _beside(work: Coroutine[None, None, None]) -> AsyncGenerator[None, None]:
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def write_reports(
    given: VerdictGiven, json: str | None, junit: Path | None, argument: str | None
) -> None:
    """Write the files that were asked for. Raises UserError."""
    if json is not None:
        write_json(json, given.result.to_json())
    if junit is not None:
        write_junit(junit, given, argument)
