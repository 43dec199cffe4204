"""Statements told apart by their tokens alone: what is too long to parse, or does not parse.

Counterpart: `statements` comes here after `statement_tree`. Postgres's own scanner knows strings,
comments and dollar quotes; a text that was cut off in the middle of one is read up to it.
"""

from collections.abc import Callable
from itertools import islice
from typing import Final

from killpoint.faults.wire import sql_parser
from killpoint.faults.wire.sql_parser import SqlError
from killpoint.faults.wire.statement import OTHER, Kind, Statement

SCAN_LIMIT: Final = 64 * 1024
"""Characters of one statement that are looked at: its target stands at its head."""
WRITING: Final = frozenset({"insert", "update", "delete", "merge"})
BEFORE_WRITING: Final = frozenset({"(", ")", "analyze", "verbose"})
"""What stands before the first word of a query: FOR UPDATE and DO UPDATE are none."""
DEFINING: Final = frozenset(
    {"alter", "call", "cluster", "comment", "create", "do", "drop", "grant", "import"}
    | {"reassign", "refresh", "reindex", "revoke", "security", "truncate"}
)
FILLERS: Final = frozenset({"into", "from", "only", "table", "if", "not", "exists", "."})


def scanned(sql: str, writing_functions: frozenset[str]) -> tuple[Statement, ...]:
    """The statements of a text, each by its words; never raises."""
    every = map(_words, _split(sql))
    return tuple(_statement(words, writing_functions) for words in every if words)


def _split(sql: str) -> list[str]:
    # The scanner's split forgets a text without any keyword: it is one statement then.
    return _until_broken(sql, sql_parser.split) or [sql]


def _words(sql: str) -> list[str]:
    """The tokens of a statement's head, lower case, quoted names without their quotes."""
    tokens = _until_broken(sql[:SCAN_LIMIT], sql_parser.tokens)
    return [token.lower().strip('"') for token in tokens if token != ";"]


def _until_broken(text: str, read: Callable[[str], list[str]]) -> list[str]:
    """What `read` makes of a text, or of the part before the quote or comment that never ends."""
    try:
        return read(text)
    except SqlError as error:
        sound = text[: error.sound]
    try:
        return read(sound)
    except SqlError:
        return []


def _statement(words: list[str], functions: frozenset[str]) -> Statement:
    kind = _control(words)
    if kind is not None:
        return Statement(kind, chain="chain" in words and "no" not in words)
    match words[0]:
        case "prepare" if len(words) > 1:
            body = words[words.index("as") + 1 :] if "as" in words else []
            inner = (_statement(body, functions),) if body else ()
            return Statement(Kind.PREPARE, name=words[1], body=inner)
        case "execute" if len(words) > 1:
            return Statement(Kind.EXECUTE, name=words[1])
        case "deallocate" | "discard":
            return _deallocate(words)
        case "copy":
            return _copy(words, functions)
        case _:
            return _write(words, functions)


def _deallocate(words: list[str]) -> Statement:
    if words[-1] == "all":
        return Statement(Kind.DEALLOCATE)
    return Statement(Kind.DEALLOCATE, name=words[-1]) if words[0] == "deallocate" else OTHER


def _control(words: list[str]) -> Kind | None:
    match words:
        case ["begin", *_] | ["start", "transaction", *_]:
            return Kind.BEGIN
        case ["commit", "prepared", *_]:
            return Kind.COMMIT_PREPARED
        case ["rollback", "prepared", *_]:
            return Kind.ROLLBACK_PREPARED
        case ["prepare", "transaction", *_]:
            return Kind.PREPARE_TRANSACTION
        case ["commit" | "end", *_]:
            return Kind.COMMIT
        case ["rollback" | "abort", *rest] if "to" in rest:
            return Kind.ROLLBACK_TO
        case ["rollback" | "abort", *_]:
            return Kind.ROLLBACK
        case ["savepoint", *_]:
            return Kind.SAVEPOINT
        case ["release", *_]:
            return Kind.RELEASE
        case _:
            return None


def _copy(words: list[str], functions: frozenset[str]) -> Statement:
    """COPY table … FROM; a column list in parentheses may come first, a query in them reads."""
    if len(words) < 2 or words[1] == "(" or "from" not in words:
        return _write(words, functions)
    copies_in = words[words.index("from") + 1 :][:1] == ["stdin"]
    return Statement(Kind.WRITE, _target(words[1:]), copies_in=copies_in)


def _write(words: list[str], functions: frozenset[str]) -> Statement:
    if words[0] in DEFINING:
        named = words[0] == "truncate" or words[1:2] == ["table"]
        target: frozenset[str] = _target(words[1:]) if named else frozenset()
        return Statement(Kind.WRITE, target, empties=named and words[0] in ("truncate", "drop"))
    if words[0] == "explain" and "analyze" not in islice(words, 8):
        return OTHER
    starts = [i for i, word in enumerate(words) if word in WRITING and _may_start(words, i)]
    if starts:
        targets = (_target(words[i + 1 :]) for i in starts)
        return Statement(Kind.WRITE, frozenset[str]().union(*targets))
    return Statement(Kind.WRITE) if functions.intersection(words) else OTHER


def _may_start(words: list[str], at: int) -> bool:
    return at == 0 or words[at - 1] in BEFORE_WRITING


def _target(words: list[str]) -> frozenset[str]:
    """The name after INTO, FROM, ONLY, TABLE: the last part of `schema.name`."""
    for i, word in enumerate(words):
        if word not in FILLERS and words[i + 1 : i + 2] != ["."]:
            return frozenset({word})
    return frozenset()
