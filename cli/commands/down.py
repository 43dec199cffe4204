"""`killpoint down`: remove what runs that were killed have left."""

import asyncio
import sys

from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.down import down_lines
from killpoint.cli.report.page import console_for, page_for, show
from killpoint.compose.left_behind import remove_left_behind


def down(everywhere: bool) -> ExitCode:
    """Remove it and say what it was. Raises EnvironmentFailed."""
    found = asyncio.run(remove_left_behind(everywhere=everywhere))
    out = console_for(sys.stdout)
    show(out, down_lines(found.removed, found.kept, found.no_engine, page_for(out)))
    return ExitCode.MET
