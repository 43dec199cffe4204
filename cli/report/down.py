"""What `killpoint down` prints: what was removed, and what was kept since its run lives.

Pure: data in, lines out.
"""

from collections.abc import Sequence

from rich.text import Text

from killpoint.cli.exit_codes import ExitCode, exit_line
from killpoint.cli.report.page import Page, line


def down_lines(
    removed: Sequence[str], kept: Sequence[str], no_engine: str, page: Page
) -> list[Text]:
    """A line for each thing; `no_engine` says why Docker was not asked, or is empty."""
    lines = [f"removed  {name}" for name in removed]
    lines += [f"kept     {name}: its run lives" for name in kept]
    lines += [f"Docker was not asked: {no_engine}"] if no_engine else []
    lines = [part for text in lines for part in page.fold(text)]
    meaning = f"{len(removed)} removed" if removed else "nothing was left behind"
    return [line(text) for text in (*lines, exit_line(ExitCode.MET, meaning))]
