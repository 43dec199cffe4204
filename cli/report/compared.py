"""What is compared with the clean run, and which columns are not: a block of the final report.

Pure: a result in, lines out. That an error of the clean run is not seen stands among the warnings.
"""

from collections.abc import Iterable

from rich.text import Text

from killpoint.cli.report.page import Page, line, padded
from killpoint.cli.report.words import count
from killpoint.cli.result import ComparedTable, IgnoredColumn, Result

LABEL = 9


def compared_lines(result: Result, page: Page) -> list[Text]:
    """The tables of all checks against the clean run; nothing without one."""
    lines: list[Text] = []
    for table in result.against.tables if result.against else ():
        label = padded("" if lines else "Compared", LABEL)
        lines += [line(part) for part in page.fold(page.clean(_words(table)), label, " " * LABEL)]
    return lines


def _words(table: ComparedTable) -> str:
    if table.refusal is not None:
        return f"not {table.table}: it {table.refusal}{_ignored(table.ignored)}"
    others = [column for column in table.columns if column not in table.known_by]
    by = f" by {', '.join(table.known_by)}" if table.known_by else ""
    what = f": {', '.join(others)}" if others else ""
    return f"{table.table}, {count(table.rows, 'row')}{by}{what}{_ignored(table.ignored)}"


def _ignored(columns: Iterable[IgnoredColumn]) -> str:
    """The columns, those with the same reason together."""
    by_reason: dict[str, list[str]] = {}
    for column in columns:
        by_reason.setdefault(column.reason, []).append(column.column)
    texts = [f"{', '.join(names)} ({reason})" for reason, names in by_reason.items()]
    return f"; ignored: {'; '.join(texts)}" if texts else ""
