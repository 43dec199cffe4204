"""Queries of the configuration: that their files are there and that they parse.

Counterpart: `checks.check` knows what a query of a check must be; here its errors get their line.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import postgast

from killpoint.checks.check import Check, CheckError, parse_check
from killpoint.cli.config.check import CheckTable
from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.document import Document
from killpoint.cli.config.locator import Place
from killpoint.cli.config.problem import Problem, do, why
from killpoint.cli.config.query import query_file, query_text

REMEDIES: Final = {
    "expected": 'mend it for DuckDB; events has topic, partition, "offset", key, value, '
    "value_bytes, headers, timestamp, origin",
    "actual": "mend it for Postgres: one query that only reads",
}


def verify_sql(configuration: Configuration, document: Document) -> Iterator[Problem]:
    """The problems of the checks' queries and of `[database] position`."""
    for index, table in enumerate(configuration.check):
        if table.actual is None:
            continue
        unreadable = list(_unreadable(table, index, document))
        yield from unreadable or _refused(table, index, document)
    position = configuration.database.position
    if position is not None:
        yield from _position_problems(position, document)


def check_of(table: CheckTable, folder: Path) -> Check:
    """A check of totals as data of `checks`, with the text of `.sql` files."""
    texts = (table.expected or "", table.actual or "")
    expected, actual = (query_text(text, folder) for text in texts)
    return Check(table.name, expected, actual, table.database, table.expected_command or ())


def _unreadable(table: CheckTable, index: int, document: Document) -> Iterator[Problem]:
    for key, text in (("expected", table.expected or ""), ("actual", table.actual or "")):
        try:
            query_text(text, document.folder)
        except (OSError, UnicodeDecodeError) as error:
            what = f'names a file that cannot be read: "{text.strip()}"'
            remedy = do("write the file, or put the query here")
            yield document.problem(("check", index, key), what, why(str(error)), remedy)


def _refused(table: CheckTable, index: int, document: Document) -> Iterator[Problem]:
    try:
        parse_check(check_of(table, document.folder))
    except CheckError as error:
        what = f'of "{table.name}" cannot be used'
        remedy = do(REMEDIES[error.side])
        text = (table.expected if error.side == "expected" else table.actual) or ""
        file = query_file(text, document.folder)
        if file is not None:
            column = f"column {error.column}: " if error.column else ""
            reason = why(f"{column}{error.message}")
            yield Problem(f"{error.side} {what}", (reason, remedy), file, error.line)
            return
        at = f"line {error.line}, column {error.column} of the query: " if error.line else ""
        place: Place = ("check", index, error.side)
        yield document.problem(place, what, why(f"{at}{error.message}"), remedy)


def _position_problems(text: str, document: Document) -> Iterator[Problem]:
    place: Place = ("database", "position")
    remedy = do("write one query of topic, partition and next offset, for Postgres")
    try:
        statements = postgast.parse(text).stmts
    except postgast.PgQueryError as error:
        yield document.problem(place, "does not parse", why(error.message), remedy)
        return
    if len(statements) != 1 or not statements[0].stmt.HasField("select_stmt"):
        yield document.problem(place, "is not one query", remedy)
