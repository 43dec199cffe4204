"""Totals: what one query of a check says, as exact numbers by key.

Counterpart: `check.py` and the audit fill them from DuckDB and from Postgres, `comparison.py` sets
one against the other. They know nothing of SQL: column names and rows come in.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from killpoint.checks.number import Number, NumberError, add, exact
from killpoint.checks.scalar import Scalar, scalar

Key = tuple[Scalar, ...]


class TotalsError(ValueError):
    """Rows that are no totals; the message names the column and says what to do."""


@dataclass(frozen=True, slots=True)
class Totals:
    """`numbers` by key; `columns` names the cells of the keys, all different.

    A missing key is 0.
    """

    columns: tuple[str, ...]
    numbers: Mapping[Key, Number]

    @classmethod
    def of(cls, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> "Totals":
        """Read the rows of a query: the last column is the number, the others are the key.

        A key that comes twice is added up; a null number (the sum of no rows) is 0. Raises
        TotalsError for a query without columns and for a last column that is not a number.
        """
        if not columns:
            raise TotalsError("the query returns no column; its last column is the number compared")
        numbers: dict[Key, Number] = {}
        for row in rows:
            key = tuple(map(scalar, row[:-1]))
            number = _number(columns[-1], row[-1])
            numbers[key] = _sum(columns[-1], numbers[key], number) if key in numbers else number
        return cls(_distinct(columns[:-1]), numbers)

    def plus(self, other: "Totals") -> "Totals":
        """The sum, key by key, of totals with the same columns."""
        numbers = dict(self.numbers)
        for key, number in other.numbers.items():
            numbers[key] = add(numbers.get(key, 0), number)
        return Totals(self.columns, numbers)


def _number(column: str, value: object) -> Number:
    if value is None:
        return 0
    try:
        number = exact(value)
    except NumberError as error:
        raise TotalsError(f'the last column "{column}" cannot be compared: {error}') from error
    if number is None:
        raise TotalsError(
            f'the last column "{column}" is not a number but {type(value).__name__} '
            f"({value!r:.60}); the last column is the number compared: cast it, or put it last"
        )
    return number


def _sum(column: str, left: Number, right: Number) -> Number:
    try:
        return add(left, right)
    except NumberError as error:
        raise TotalsError(f'the last column "{column}" cannot be added up: {error}') from error


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, those that come again numbered: a key is printed as an object."""
    taken: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in taken:
            number += 1
            candidate = f"{name}_{number}"
        taken.append(candidate)
    return tuple(taken)
