"""`killpoint up`: Kafka and Postgres in the foreground, and the moments that pass."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from killpoint.cli.commands.output import consoles
from killpoint.cli.config.document import read_document
from killpoint.cli.config.find import find_configuration
from killpoint.cli.config.load import read_configuration
from killpoint.cli.config.problem import ConfigError
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.page import console_for, page_for, show
from killpoint.cli.report.terminal import TerminalReport
from killpoint.cli.report.up import closing_lines, door_lines, moment_lines
from killpoint.cli.session.interrupt import interruptible
from killpoint.cli.session.stack_choice import AUTO, StackWish, stack_wish
from killpoint.cli.session.standing import Door, stand


def up(config: Path | None, stack: str | None) -> ExitCode:
    """Stand until Ctrl-C, which is the way to end it: exit 0. Raises EnvironmentFailed."""
    wish = _wish(config, stack)
    out = console_for(sys.stdout)
    asyncio.run(_held(wish, out))
    show(out, closing_lines(page_for(out)))
    return ExitCode.MET


async def _held(wish: StackWish, out: Console) -> None:
    _, shown = consoles(None)

    def opened(doors: Sequence[Door]) -> None:
        show(out, door_lines(doors, page_for(out)))

    def tell(seconds: float, moment: str) -> None:
        show(out, moment_lines(seconds, moment, page_for(out)))

    report = TerminalReport(out, shown)
    try:
        await interruptible(stand(wish, report, opened, tell))
    except asyncio.CancelledError:
        return


def _wish(config: Path | None, stack: str | None) -> StackWish:
    """The nearest file's wishes; without a file and without a word for one, the defaults."""
    try:
        file = find_configuration(config)
    except ConfigError:
        if config is not None:
            raise
        return StackWish(stack or AUTO)
    return stack_wish(read_configuration(read_document(file)), stack)
