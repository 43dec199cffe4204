"""Columns: rows for DuckDB, taken in column by column in Arrow's layout instead of cell by cell.

Counterpart: `ledger.py` says what the columns mean. So a million events take half the time. What is
the same in every row, as a topic's name mostly is, is said once. nanoarrow makes the arrays (Arrow
Columnar Format 1.5, "Variable-size Binary Layout").
"""

from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, Literal

import duckdb
import nanoarrow  # pyright: ignore[reportMissingTypeStubs]

Kind = Literal["integer", "bigint", "varchar", "blob"]
Column = tuple[str, Kind, Sequence[Any]]
"""Name, type, and the cells: integers, or texts or bytes, of which any may be None."""

_arrow: Final[Any] = nanoarrow  # it has no types
_TYPES: Final[Mapping[Kind, Any]] = {
    "integer": _arrow.int32(),
    "bigint": _arrow.int64(),
    "varchar": _arrow.large_string(),
    "blob": _arrow.large_binary(),
}
_CODES: Final[Mapping[Kind, str]] = {"integer": "i", "bigint": "q"}
_GIVEN: Final = "given_columns"


def insert(
    connection: duckdb.DuckDBPyConnection, table: str, index: Column, others: Sequence[Column]
) -> None:
    """Append rows: the cells of `index`, integers, and those of `others`, as many, beside them.

    The table's other columns become null. Raises duckdb.Error.
    """
    length = len(index[2])
    varying: list[Column] = []
    constant: list[Column] = []
    for column in others:
        (constant if _is_constant(column[2]) else varying).append(column)
    given = [index, *varying]
    arrow = _arrow.Array(
        _arrow.c_array_from_buffers(
            _arrow.struct({name: _TYPES[kind] for name, kind, _ in given}),
            length,
            [None],
            children=[_array(kind, cells) for _, kind, cells in given],
        )
    )
    names = ", ".join(f'"{name}"' for name, _, _ in (*given, *constant))
    values = [*(f'"{name}"' for name, _, _ in given), *(f"?::{kind}" for _, kind, _ in constant)]
    connection.register(_GIVEN, arrow)
    try:
        connection.execute(
            f"insert into {table} ({names}) select {', '.join(values)} from {_GIVEN}",
            [cells[0] for _, _, cells in constant],
        )
    finally:
        connection.unregister(_GIVEN)


def _is_constant(cells: Sequence[Any]) -> bool:
    return cells.count(cells[0]) == len(cells)


def _array(kind: Kind, cells: Sequence[Any]) -> Any:
    if code := _CODES.get(kind):
        return _arrow.c_array_from_buffers(_TYPES[kind], len(cells), [None, array(code, cells)])
    present = _present(cells) if None in cells else None
    if kind == "varchar":
        cells = [cell.encode() if cell else None for cell in cells]
    parts = cells if all(cells) else [cell or b"" for cell in cells]
    ends = array("q", accumulate(map(len, parts), initial=0))
    return _arrow.c_array_from_buffers(_TYPES[kind], len(cells), [present, ends, b"".join(parts)])


def _present(cells: Sequence[Any]) -> bytes:
    """A bit for each cell, the first the lowest: 1 if there is one."""
    bits = "".join("0" if cell is None else "1" for cell in reversed(cells))
    return int(bits, 2).to_bytes((len(cells) + 7) // 8, "little")
