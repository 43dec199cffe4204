"""Statements read from Postgres's own parse tree.

Counterpart: `statements` hands in texts of bounded length. Whatever is not known to leave the
database alone counts as a write: a new kind of DDL is better seen than missed.
"""

from typing import Final

from killpoint.faults.wire import sql_parser
from killpoint.faults.wire.sql_parser import Node, SqlError
from killpoint.faults.wire.statement import OTHER, Kind, Statement

TRANSACTION_KINDS: Final = {
    "TRANS_STMT_BEGIN": Kind.BEGIN,
    "TRANS_STMT_START": Kind.BEGIN,
    "TRANS_STMT_COMMIT": Kind.COMMIT,
    "TRANS_STMT_ROLLBACK": Kind.ROLLBACK,
    "TRANS_STMT_SAVEPOINT": Kind.SAVEPOINT,
    "TRANS_STMT_RELEASE": Kind.RELEASE,
    "TRANS_STMT_ROLLBACK_TO": Kind.ROLLBACK_TO,
    "TRANS_STMT_PREPARE": Kind.PREPARE_TRANSACTION,
    "TRANS_STMT_COMMIT_PREPARED": Kind.COMMIT_PREPARED,
    "TRANS_STMT_ROLLBACK_PREPARED": Kind.ROLLBACK_PREPARED,
}
READERS: Final = frozenset(
    {"alter_system_stmt", "check_point_stmt", "close_portal_stmt", "constraints_set_stmt"}
    | {"declare_cursor_stmt", "fetch_stmt", "listen_stmt", "load_stmt", "lock_stmt", "notify_stmt"}
    | {"unlisten_stmt", "vacuum_stmt", "variable_set_stmt", "variable_show_stmt"}
)
"""Statements that change no row and no definition: nothing of theirs is committed."""
SEQUENCE_FUNCTIONS: Final = frozenset({"nextval", "setval"})
FALSE_WORDS: Final = frozenset({"off", "false", "0"})


def parsed(sql: str, writing_functions: frozenset[str]) -> tuple[Statement, ...] | None:
    """The statements of a text; None if it does not parse."""
    try:
        return tuple(_statement(node, writing_functions) for node in sql_parser.parse(sql))
    except SqlError:
        return None


def _statement(node: Node, functions: frozenset[str]) -> Statement:
    match node.WhichOneof("node"):
        case "transaction_stmt":
            control = node.transaction_stmt
            kind = TRANSACTION_KINDS.get(sql_parser.transaction_kind(control), Kind.OTHER)
            return Statement(kind, chain=control.chain)
        case "prepare_stmt":
            body = _statement(node.prepare_stmt.query, functions)
            return Statement(Kind.PREPARE, name=node.prepare_stmt.name, body=(body,))
        case "execute_stmt":
            return Statement(Kind.EXECUTE, name=node.execute_stmt.name)
        case "deallocate_stmt":
            return Statement(Kind.DEALLOCATE, name=node.deallocate_stmt.name or None)
        case "discard_stmt":
            everything = node.discard_stmt.target == sql_parser.DISCARD_ALL
            return Statement(Kind.DEALLOCATE) if everything else OTHER
        case "explain_stmt":
            explain = node.explain_stmt
            return _statement(explain.query, functions) if _analyzes(explain) else OTHER
        case _:
            return _write(node, functions)


def _write(node: Node, functions: frozenset[str]) -> Statement:
    tables, numbers = _targets(node), _calls(node, SEQUENCE_FUNCTIONS)
    if tables is None:
        kind = Kind.WRITE if _calls(node, functions) else Kind.OTHER
        return Statement(kind, numbers=numbers) if numbers or kind is Kind.WRITE else OTHER
    copies = node.WhichOneof("node") == "copy_stmt"
    copies_in = copies and node.copy_stmt.is_from and not node.copy_stmt.filename
    return Statement(
        Kind.WRITE, tables, empties=_empties(node), numbers=numbers, copies_in=copies_in
    )


def _empties(node: Node) -> bool:
    match node.WhichOneof("node"):
        case "truncate_stmt":
            return True
        case "drop_stmt":
            return sql_parser.drops_tables(node.drop_stmt)
        case _:
            return False


def _targets(node: Node) -> frozenset[str] | None:
    """The tables that a statement writes to, lower case; None if it does not write."""
    kind: str | None = node.WhichOneof("node")
    match kind:
        case "select_stmt":
            into = node.select_stmt.into_clause.rel
            found = _names(into) if into.relname else None
            return _union(found, _cte_targets(node.select_stmt.with_clause))
        case "copy_stmt" if not node.copy_stmt.is_from:
            return _targets(node.copy_stmt.query)
        case "insert_stmt" | "update_stmt" | "delete_stmt" | "merge_stmt":
            change = getattr(node, kind)
            return _union(_names(change.relation), _cte_targets(change.with_clause))
        case "create_table_as_stmt":
            return _names(node.create_table_as_stmt.into.rel)
        case "truncate_stmt":
            return _names(*(item.range_var for item in node.truncate_stmt.relations))
        case "drop_stmt":
            return frozenset(map(_dropped, node.drop_stmt.objects))
        case _:
            return None if kind is None or kind in READERS else _defined(getattr(node, kind))


def _names(*relations: Node) -> frozenset[str]:
    return frozenset(relation.relname.lower() for relation in relations)


def _cte_targets(clause: Node) -> frozenset[str] | None:
    """Postgres allows writing queries in a top-level WITH only, each a statement of its own."""
    found: frozenset[str] | None = None
    for item in clause.ctes:
        found = _union(found, _targets(item.common_table_expr.ctequery))
    return found


def _union(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return other if one is None else one
    return one | other


def _defined(statement: Node) -> frozenset[str]:
    """The table that a definition is about, where its node has the usual field for it."""
    if not sql_parser.has_relation(statement) or not statement.relation.relname:
        return frozenset()
    return _names(statement.relation)


def _dropped(node: Node) -> str:
    """The name without schema of a dropped object: a list of strings, or one string."""
    last = node.list.items[-1] if node.list.items else node
    name: str = last.string.sval
    return name.lower()


def _analyzes(explain: Node) -> bool:
    """EXPLAIN runs its query only with ANALYZE, which may be switched off by a value."""
    options = (item.def_elem for item in explain.options)
    return any(item.defname == "analyze" and not _is_false(item.arg) for item in options)


def _is_false(value: Node) -> bool:
    match value.WhichOneof("node"):
        case "string":
            return value.string.sval.lower() in FALSE_WORDS
        case "integer":
            return bool(value.integer.ival == 0)
        case "boolean":
            return not value.boolean.boolval
        case _:
            return False


def _calls(node: Node, functions: frozenset[str]) -> bool:
    """Whether one of the functions, named plainly or with its schema, is called anywhere inside."""
    if not functions:
        return False
    dotted = [name.lower() for name in sql_parser.called_functions(node)]
    return any(name in functions or name.rpartition(".")[2] in functions for name in dotted)
