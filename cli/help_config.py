"""The texts of `killpoint help config` and `killpoint help moments`.

Made from the models' descriptions and from `faults.moment.EVENTS`, so that they cannot lag behind.
"""

import textwrap
from collections.abc import Iterator
from typing import Any, Final, Literal, get_args, get_origin

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.placeholders import DESCRIPTIONS
from killpoint.cli.config.table import Table
from killpoint.faults.moment import EVENTS, ONLY_AFTER, REPLICA

WIDTH: Final = 100
KEY_WIDTH: Final = 18
HEADERS: Final = {
    **{name: f"[[{name}]]" for name in ("source", "check", "scenario")},
    "databases": "[databases.KEY]",
}

EVENT_TEXTS: Final = {
    "join": "a member was taken into its group",
    "fetch": "records were fetched (never empty)",
    "offset_commit": "offsets are committed",
    "produce": "records are produced",
    "txn_offset_commit": "offsets are committed within a Kafka transaction",
    "end_txn": "a Kafka transaction is committed or aborted",
    "begin": "BEGIN, every one",
    "write": "a statement that writes, every one",
    "commit": "a commit, explicit or autocommit, of a transaction that wrote",
    "rollback": "a rollback of a transaction that wrote",
}

MOMENTS_HEAD: Final = """\
A moment is a place in a conversation that killpoint can stop at:

  edge.event{selector}#n:side

  postgres.commit#2:after
  kafka.offset_commit{topic="clicks",partition=0,offset=6}:before
  postgres.write{transaction=2,statement=1}:after

side       before: the request is held and has not reached the server
           after: the server has acted and its answer is held
#n         counts matches since the last start of the target, from 1; without it the first is meant
selector   optional; a frame over several partitions matches if one of them does
           replica: of several instances the one that is meant, from 1, in every event; #n then
           counts its own matches since its own start: postgres.commit{replica=2}#1:after
           topic: one that is called after the run's group is told by that: topic="{group}-configs"
"""
MOMENTS_TAIL: Final = """\
offset is one that was fetched (fetch), or the value that is sent (the commits).
killpoint points  prints the moments of your consumer, each with the name to paste."""


def config_help() -> str:
    """Every key of killpoint.toml with one line, then the placeholders."""
    lines = [
        "killpoint.toml, all keys (* required; in brackets the choices, the default first)",
        "Where there is none: the same tables in pyproject.toml, such as [tool.killpoint.run]",
        "",
    ]
    for name, field in Configuration.keys().items():
        table = Configuration.tables()[name]
        header = HEADERS.get(name, f"[{name}]")
        lines += [f"{header:<{KEY_WIDTH + 2}}{field.description}", *_key_lines(table, ""), ""]
    lines.append("Placeholders in env and commands ({{ and }} are braces)")
    lines += [f"  {{{name}}}".ljust(26) + text for name, text in DESCRIPTIONS.items()]
    lines += [
        "",
        "Given to the target as well: KAFKA_BOOTSTRAP_SERVERS, DATABASE_URL, PGHOST, PGPORT,",
    ]
    lines.append("PGUSER, PGPASSWORD, PGDATABASE, KILLPOINT_TOPIC, KILLPOINT_GROUP.")
    return "\n".join(lines)


def moments_help() -> str:
    """How the names of moments are made, and which there are."""
    lines = [MOMENTS_HEAD]
    for edge, events in EVENTS.items():
        for event, selectors in events.items():
            name = f"{edge}.{event}"
            sides = "after" if event in ONLY_AFTER else "before, after"
            lines.append(f"  {name:<26}{EVENT_TEXTS[event]}")
            own = sorted(selectors - {REPLICA})
            known = f"   selectors: {', '.join(own)}" if own else ""
            lines.append(f"  {'':<26}{sides}{known}")
    lines += ["", MOMENTS_TAIL]
    return "\n".join(lines)


def _key_lines(table: type[Table], prefix: str) -> Iterator[str]:
    for key, field in table.keys().items():
        mark = "*" if field.is_required() else " "
        choices = _choices(field)
        text = f"{field.description}  ({choices})" if choices else str(field.description)
        first, *rest = textwrap.wrap(text, WIDTH - KEY_WIDTH - 2)
        yield f"  {prefix + key + mark:<{KEY_WIDTH}}{first}"
        yield from (" " * (KEY_WIDTH + 2) + line for line in rest)
        inner = table.tables().get(key)
        if inner is not None:
            yield from _key_lines(inner, f"{prefix}{key}.")


def _choices(field: Any) -> str:
    """The words that a key takes, the default first, or the default alone."""
    words = [str(word) for word in _literals(field.annotation)]
    default = _default(field)
    first = [] if default is None else [default]
    return ", ".join([*first, *(word for word in words if word != default)])


def _default(field: Any) -> str | None:
    """The default as the file would write it, without quotes, if there is one to show."""
    if field.is_required() or field.default_factory or field.default is None:
        return None
    written: dict[str, Any] = field.json_schema_extra or {}
    value: Any = written.get("default", field.default)
    return ", ".join(map(str, value)) if isinstance(field.default, tuple) else str(value)


def _literals(annotation: Any) -> tuple[Any, ...]:
    """The words of a Literal, also inside `X | None` and `tuple[X, ...]`."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return next((found for inner in get_args(annotation) if (found := _literals(inner))), ())
