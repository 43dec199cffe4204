"""`killpoint init`: write a project that is ready to run."""

import sys
from pathlib import Path

from killpoint.cli.config.problem import shown
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.guess.draft import lines_to_write
from killpoint.cli.guess.origin import write_guess
from killpoint.cli.init import write_project
from killpoint.cli.report.page import console_for, page_for, show
from killpoint.cli.report.words import count


def init(folder: Path, origin: Path | None = None) -> ExitCode:
    """Write the files and say what comes next. Raises ConfigError if one exists.

    With `origin`, a file of a project, the configuration is guessed from it and stands beside it.
    """
    if origin is not None:
        return _guessed(origin)
    written = write_project(folder)
    next_one = "killpoint run" if folder == Path() else f"killpoint run {folder}"
    lines = [*(f"wrote {path}" for path in written), "", f"Next   {next_one}"]
    show(console_for(sys.stdout), lines)
    return ExitCode.MET


def _guessed(origin: Path) -> ExitCode:
    written, text = write_guess(origin)
    console = console_for(sys.stdout)
    page = page_for(console)
    left = lines_to_write(text)
    lines = [f"wrote {shown(path)}" for path in written]
    lines += ["", f"left to write: {count(len(left), 'line')}"] if left else []
    for number, what in left:
        lines += page.fold(what, f"  {shown(written[0])}:{number}: ")
    file = "" if origin.parent.resolve() == Path.cwd() else f" {shown(written[0])}"
    show(console, [*lines, "", f"Next   killpoint check{file}"])
    return ExitCode.MET
