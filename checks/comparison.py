"""The comparison of expected with actual totals: what is lost and what is counted twice, by key.

Counterpart: `totals.py` before it, `verdict.py` and the reports after it. It does not say why
something differs, nor whether a fault explains it (`exposure.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Final

from killpoint.checks.alignment import align
from killpoint.checks.number import Number, add, excess, negative
from killpoint.checks.outcome import Outcome
from killpoint.checks.scalar import order, printable
from killpoint.checks.totals import Key, Totals

KEYS_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class Difference:
    """One key whose numbers differ."""

    key: Key
    expected: Number
    actual: Number

    @property
    def lost(self) -> Number:
        """max(0, expected - actual)"""
        return excess(self.expected, self.actual)

    @property
    def counted_twice(self) -> Number:
        """max(0, actual - expected)"""
        return excess(self.actual, self.expected)


@dataclass(frozen=True, slots=True)
class RowDifference:
    """A row, or one column of it, that is not as the clean run left it.

    `names` and `key` tell the row; `expected` and `actual` are numbers of equal rows, or the values
    of the column as texts. `lost` and `counted_twice` are what it adds to the check's.
    """

    names: tuple[str, ...]
    key: tuple[str | None, ...]
    expected: Number | str | None
    actual: Number | str | None
    lost: Number = 0
    counted_twice: Number = 0


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What one check found; `lost` and `counted_twice` are in the check's unit.

    They are None, and `reason` is given, where the check could not be run. `differences` are all
    keys or rows that differ, the largest total first; `columns` names the cells of the keys.
    """

    outcome: Outcome
    lost: Number | None
    counted_twice: Number | None
    columns: tuple[str, ...] = ()
    differences: tuple[Difference | RowDifference, ...] = ()
    reason: str | None = None

    @classmethod
    def failed(cls, reason: str) -> "CheckOutcome":
        """The outcome of a check that failed to run: never a pass."""
        return cls(Outcome.INCONCLUSIVE, None, None, reason=reason)

    @property
    def keys(self) -> tuple[Difference | RowDifference, ...]:
        """The differences that a result shows."""
        return self.differences[:KEYS_SHOWN]

    @property
    def keys_total(self) -> int:
        """How many keys differ."""
        return len(self.differences)

    def named(self, difference: Difference | RowDifference) -> dict[str, bool | int | str | None]:
        """The key of a difference as an object that JSON can carry."""
        if isinstance(difference, RowDifference):
            return dict(zip(difference.names, difference.key, strict=True))
        return dict(zip(self.columns, map(printable, difference.key), strict=True))


def compare(expected: Totals, actual: Totals) -> CheckOutcome:
    """Set actual totals against expected ones.

    Raises TotalsError if their key columns differ in number, and NumberError for sums that are too
    long to be exact.
    """
    expected, actual = align(expected, actual)
    found = [
        Difference(key, wanted, got)
        for key in expected.numbers.keys() | actual.numbers.keys()
        if (wanted := expected.numbers.get(key, 0)) != (got := actual.numbers.get(key, 0))
    ]
    found.sort(key=_rank)
    lost = total(difference.lost for difference in found)
    twice = total(difference.counted_twice for difference in found)
    return CheckOutcome(_outcome(lost, twice), lost, twice, actual.columns, tuple(found))


def total(numbers: Iterable[Number]) -> Number:
    """The exact sum."""
    start: Number = 0
    return reduce(add, numbers, start)


def _outcome(lost: Number, twice: Number) -> Outcome:
    if lost and twice:
        return Outcome.BOTH
    if lost:
        return Outcome.LOST
    return Outcome.COUNTED_TWICE if twice else Outcome.CLEAN


def _rank(difference: Difference) -> tuple[Number, list[tuple[int, Number, str]]]:
    size = add(difference.lost, difference.counted_twice)
    return negative(size), [order(cell) for cell in difference.key]
