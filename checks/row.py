"""The cells of a row of an image: told apart, chosen, and read as numbers.

Counterpart: `faults.table_image` says how a row is written. Cells stay the text of Postgres, so
nothing is lost or rounded; numbers are read only where two rows differ.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final

from killpoint.checks.number import Number, NumberError, amount, whole
from killpoint.faults.table_image import Kind, Row

NULL: Final = b"\\N"
FLOAT_DIGITS: Final = 9
"""Sums of floats depend on the order of adding; what is equal to nine digits is equal."""

_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES: Final = dict(zip("bfnrtv", "\b\f\n\r\t\v", strict=True))


def choose(row: Row, places: Sequence[int]) -> Row:
    """The cells at some places, in that order, as a row again."""
    cells = row.split(b"\t")
    return b"\t".join([cells[place] for place in places])


def project(rows: Mapping[Row, int], places: Sequence[int], width: int) -> Counter[Row]:
    """The rows with only some of their `width` cells; equal ones are added up."""
    if list(places) == list(range(width)):
        return Counter(rows)
    found: Counter[Row] = Counter()
    for row, count in rows.items():
        found[choose(row, places)] += count
    return found


def text(cell: bytes) -> str | None:
    """A cell as its text; None for null."""
    if cell == NULL:
        return None
    return _ESCAPED.sub(
        lambda found: _ESCAPES.get(found[1], found[1]), cell.decode(errors="replace")
    )


def number(cell: bytes) -> Number | None:
    """A cell as an exact number; None for null and for what is no finite number."""
    try:
        return whole(Decimal(cell.decode()))
    except (InvalidOperation, NumberError, UnicodeDecodeError):
        return None


def same_form(row: Row, kinds: Sequence[Kind]) -> Row:
    """The row with its numbers in one form: 1.50 as 1.5, floats to nine digits."""
    cells = row.split(b"\t") if kinds else []
    return b"\t".join([_form(cell, kind) for cell, kind in zip(cells, kinds, strict=True)])


def _form(cell: bytes, kind: Kind) -> bytes:
    if kind == "other" or cell == NULL:
        return cell
    if kind == "float":
        return f"{float(cell):.{FLOAT_DIGITS}g}".encode()
    found = number(cell)
    return cell if found is None else str(amount(found)).encode()
