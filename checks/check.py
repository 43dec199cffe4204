"""A check: one comparison of totals, as two queries, and what can be said of it before a run.

Counterpart: `ledger.py` runs `expected`; whoever may speak to Postgres runs `actual`, in a
transaction that can only read. It does not compare (`comparison.py`).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import duckdb
import postgast
from postgast import pg_query_pb2

from killpoint.checks.ledger import Ledger
from killpoint.checks.totals import Totals, TotalsError

Side = Literal["expected", "actual"]

# The names of DuckDB's number types; a null is 0, and JSON is looked at when there is a value.
_NUMERIC: Final = re.compile(
    r'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL\(.*\)|FLOAT|DOUBLE|"NULL"|JSON'
)
_WRITES: Final = (
    pg_query_pb2.InsertStmt,
    pg_query_pb2.UpdateStmt,
    pg_query_pb2.DeleteStmt,
    pg_query_pb2.MergeStmt,
)


class CheckError(ValueError):
    """A query of a check that cannot be used, or that failed.

    `side` is "expected" or "actual"; `line` and `column` (from 1) say where in its text, where that
    is known; `message` says what is wrong, in the database's words where it said so.
    """

    def __init__(
        self, name: str, side: Side, message: str, place: tuple[int, int] | None = None
    ) -> None:
        self.name, self.side, self.message = name, side, message
        self.line = place[0] if place else None
        self.column = place[1] if place else None
        where = f" (line {self.line}, column {self.column})" if place else ""
        super().__init__(f'check "{name}": {side}{where}: {message}')


@dataclass(frozen=True, slots=True)
class Check:
    """`expected` is DuckDB SQL over the ledger's `events`, `actual` is SQL on the database.

    In both the last column is the number compared and the others are the key. `database` is the key
    of a database beside the main one; None: the main one. `command`: a program of the user's that
    says what is expected, instead of `expected`, which is empty then.
    """

    name: str
    expected: str
    actual: str
    database: str | None = None
    command: tuple[str, ...] = ()


def parse_check(check: Check) -> None:
    """Refuse a check that cannot work, before anything is started.

    `expected` must run on empty `events` and give a number last; `actual` must be one SELECT,
    VALUES, TABLE or WITH that writes nothing, in Postgres's grammar. Raises CheckError.
    """
    if not check.command:
        _parse_expected(check)
    _parse_actual(check)


def expected_totals(ledger: Ledger, check: Check) -> Totals:
    """The expected totals over the ledger, or over a part of it. Raises CheckError."""
    try:
        return Totals.of(*ledger.query(check.expected))
    except duckdb.Error as error:
        raise _refused(check, error) from error
    except TotalsError as error:
        raise CheckError(check.name, "expected", str(error)) from error


def _parse_expected(check: Check) -> None:
    try:
        statements = duckdb.extract_statements(check.expected)
    except duckdb.Error:
        statements = None  # The ledger's connection says where the error is.
    if statements is not None:
        kinds = [statement.type for statement in statements]
        if kinds != [duckdb.StatementType.SELECT]:
            raise CheckError(check.name, "expected", _one_query(len(kinds), "DuckDB"))
        if statements[0].named_parameters:
            raise CheckError(check.name, "expected", "it has a parameter, and nothing gives it one")
    ledger = Ledger(())
    try:
        name, kind = ledger.types(check.expected)[-1]
    except duckdb.Error as error:
        raise _refused(check, error) from error
    finally:
        ledger.close()
    if not _NUMERIC.fullmatch(kind):
        message = f'the last column "{name}" is {kind}, not a number: cast it, or put it last'
        raise CheckError(check.name, "expected", message)


def _parse_actual(check: Check) -> None:
    try:
        tree = postgast.parse(check.actual)
    except postgast.PgQueryError as error:
        place = _place(check.actual, error.cursorpos - 1) if error.cursorpos > 0 else None
        raise CheckError(check.name, "actual", error.message, place) from error
    if len(tree.stmts) != 1 or not tree.stmts[0].stmt.HasField("select_stmt"):
        raise CheckError(check.name, "actual", _one_query(len(tree.stmts), "Postgres"))
    for _, node in postgast.walk(tree):
        if isinstance(node, (*_WRITES, pg_query_pb2.IntoClause, pg_query_pb2.LockingClause)):
            message = "it writes or locks rows; an audit must only read: leave that part out"
            raise CheckError(check.name, "actual", message)
        if isinstance(node, pg_query_pb2.ParamRef):
            raise CheckError(check.name, "actual", "it has a parameter, and nothing gives it one")


def _one_query(count: int, database: str) -> str:
    found = "another kind of statement" if count == 1 else f"{count} statements"
    return f"it must be one query (SELECT, WITH, VALUES or TABLE) for {database}, not {found}"


def _refused(check: Check, error: duckdb.Error) -> CheckError:
    """DuckDB's message without its dress, and the place it names."""
    text = str(error)
    start = text.find("{")
    try:
        told: Mapping[str, str] = json.loads(text[start:]) if start >= 0 else {}
    except json.JSONDecodeError:
        told = {}
    # After the first line DuckDB lists every signature that it knows.
    message = told.get("exception_message", text).partition("\n\tCandidate functions")[0]
    place = _byte_place(check.expected, int(told["position"])) if "position" in told else None
    return CheckError(check.name, "expected", message, place)


def _byte_place(text: str, offset: int) -> tuple[int, int]:
    """DuckDB counts in bytes of UTF-8."""
    return _place(text, len(text.encode()[:offset].decode(errors="ignore")))


def _place(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of a character."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1
