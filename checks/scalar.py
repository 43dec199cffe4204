"""Scalars: one cell of a key, in a form in which DuckDB's and Postgres's values compare equal.

Counterpart: `totals.py` builds keys from them. The forms are those of JSON, because a key is also
printed as a JSON object: dates, UUIDs and bytes become text. Nothing here knows which database a
value came from; `alignment.py` mends what only a look at both sides can.
"""

import json
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TypeGuard

from killpoint.checks.number import Number, NumberError, exact

Scalar = bool | int | Decimal | str | None
_Nested = list[object] | tuple[object, ...] | dict[object, object]


def scalar(value: object) -> Scalar:
    """The cell of a row, normalised.

    Numbers become exact (1.50 and 1.5 are one key). A timestamp without a zone is read as UTC and
    both kinds print as `2024-01-31T12:00:00Z`; bytes print as Postgres's `\\x6869`; a UUID in lower
    case; lists and objects (JSON, arrays) as compact JSON with sorted names; all else as its text.
    """
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float | Decimal):
        return _number(value)
    if isinstance(value, datetime):
        return _instant(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes):
        return "\\x" + value.hex()
    if _is_nested(value):
        return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return str(value)


def printable(value: Scalar) -> bool | int | str | None:
    """The scalar as JSON carries it: a number that is not whole becomes its text."""
    return f"{value:f}" if isinstance(value, Decimal) else value


def order(value: Scalar) -> tuple[int, Number, str]:
    """A sort key over scalars of mixed kinds: null, booleans, numbers, text."""
    if value is None:
        return (0, 0, "")
    if isinstance(value, bool):
        return (1, int(value), "")
    if isinstance(value, str):
        return (3, 0, value)
    return (2, value, "")


def _number(value: int | float | Decimal) -> Scalar:
    try:
        return exact(value)
    except NumberError:
        # As a part of a key NaN and the infinities are just values; both databases name them so.
        names = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
        return names.get(str(value).lower(), str(value))


def _instant(value: datetime) -> str:
    """ISO 8601 in UTC. Fractions of a second only where there are some."""
    if value.tzinfo is not None:
        value = value.astimezone(UTC)
    return value.replace(tzinfo=None).isoformat() + "Z"


def _is_nested(value: object) -> TypeGuard[_Nested]:
    return isinstance(value, list | tuple | dict)


def _plain(value: object) -> object:
    if not _is_nested(value):
        return printable(scalar(value))
    if isinstance(value, dict):
        # A map of DuckDB may have names that are no text.
        return {str(name): _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value]
