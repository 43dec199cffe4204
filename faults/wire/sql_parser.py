"""Postgres's own parser and scanner (libpg_query), as far as statements need them.

The one place that touches postgast: the type stubs that it ships do not parse, so its values are
Any from here on. Every failure of it is a `SqlError`.
"""

import importlib
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

Node: TypeAlias = Any
"""A protobuf message of a parse tree: fields by attribute, `WhichOneof("node")` for its type."""
Result = TypeVar("Result")

_postgast: Final[Any] = importlib.import_module("postgast")
_messages: Final[Any] = importlib.import_module("postgast.pg_query_pb2")
_DecodeError: Final[type[Exception]] = importlib.import_module(
    "google.protobuf.message"
).DecodeError  # a tree that is nested deeper than its transport allows
DISCARD_ALL: Final[int] = _messages.DISCARD_ALL
_COMMENTS: Final = frozenset({_messages.SQL_COMMENT, _messages.C_COMMENT})


class SqlError(Exception):
    """Not SQL, or not encodable. `sound`: the characters before the place (0: not known)."""

    def __init__(self, sound: int = 0) -> None:
        super().__init__(f"does not scan or parse after {sound} characters")
        self.sound = sound


def parse(sql: str) -> list[Node]:
    """The statements of a text as parse trees. The text must be short: the C code recurses."""
    return [raw.stmt for raw in _guarded(_postgast.parse, sql).stmts]


def split(sql: str) -> list[str]:
    """The statements of a text as texts; one that holds no keyword at all is left out."""

    def by_scanner(text: str) -> list[str]:
        parts: list[str] = _postgast.split(text, method="scanner")
        return parts

    return _guarded(by_scanner, sql)


def tokens(sql: str) -> list[str]:
    """The tokens of a text as they stand there, without comments."""
    raw = sql.encode("utf-8", "replace")
    return [
        raw[token.start : token.end].decode("utf-8", "replace")
        for token in _guarded(_postgast.scan, sql).tokens
        if token.token not in _COMMENTS
    ]


def transaction_kind(statement: Node) -> str:
    """The kind of a `transaction_stmt` by the name that Postgres gives it: `TRANS_STMT_BEGIN`."""
    name: str = _messages.TransactionStmtKind.Name(statement.kind)
    return name


def drops_tables(statement: Node) -> bool:
    """Whether a `drop_stmt` is one of tables."""
    kind: str = _messages.ObjectType.Name(statement.remove_type)
    return kind == "OBJECT_TABLE"


def has_relation(statement: Node) -> bool:
    """Whether a definition names one table in the usual field of its node."""
    field = statement.DESCRIPTOR.fields_by_name.get("relation")
    return field is not None and isinstance(statement.relation, _messages.RangeVar)


def called_functions(node: Node) -> list[str]:
    """The functions called anywhere in a tree, as `name` or `schema.name`."""
    return list(_postgast.extract_functions(node))


def _guarded(call: Callable[[str], Result], sql: str) -> Result:
    try:
        return call(sql)
    except _postgast.PgQueryError as error:
        raise SqlError(max(error.cursorpos - 1, 0)) from error
    except (_DecodeError, ValueError) as error:
        raise SqlError() from error
