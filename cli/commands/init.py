"""`killpoint init`: write a project that is ready to run."""

import sys
from pathlib import Path

from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.init import write_project
from killpoint.cli.report.page import console_for, show


def init(folder: Path) -> ExitCode:
    """Write the files and say what comes next. Raises ConfigError if one exists."""
    written = write_project(folder)
    next_one = "killpoint run" if folder == Path() else f"killpoint run {folder}"
    lines = [*(f"wrote {path}" for path in written), "", f"Next   {next_one}"]
    show(console_for(sys.stdout), lines)
    return ExitCode.MET
