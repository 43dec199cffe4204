"""The comparison: lost, counted twice, and by key."""

from decimal import Decimal

import pytest

from killpoint.checks.comparison import KEYS_SHOWN, CheckOutcome, Difference, compare, total
from killpoint.checks.number import Number
from killpoint.checks.outcome import Outcome
from killpoint.checks.totals import Totals


def totals(**numbers: Number) -> Totals:
    return Totals(("code",), {(code,): number for code, number in numbers.items()})


@pytest.mark.parametrize(
    ("expected", "actual", "outcome", "lost", "twice"),
    [
        (totals(a=3), totals(a=3), Outcome.CLEAN, 0, 0),
        (totals(a=3), totals(a=1), Outcome.LOST, 2, 0),
        (totals(a=3), totals(a=6), Outcome.COUNTED_TWICE, 0, 3),
        (totals(a=3, b=1), totals(a=4, b=0), Outcome.BOTH, 1, 1),
        (totals(a=3), totals(), Outcome.LOST, 3, 0),
        (totals(), totals(a=3), Outcome.COUNTED_TWICE, 0, 3),
        (totals(a=0), totals(), Outcome.CLEAN, 0, 0),
        (totals(a=-2), totals(), Outcome.COUNTED_TWICE, 0, 2),
        (totals(a=Decimal("0.3")), totals(a=Decimal("0.1")), Outcome.LOST, Decimal("0.2"), 0),
    ],
)
def test_outcomes(
    expected: Totals, actual: Totals, outcome: Outcome, lost: Number, twice: Number
) -> None:
    found = compare(expected, actual)
    assert (found.outcome, found.lost, found.counted_twice) == (outcome, lost, twice)


def test_a_loss_does_not_hide_a_double_of_another_key() -> None:
    found = compare(totals(a=5, b=5), totals(a=2, b=8))
    assert (found.outcome, found.lost, found.counted_twice) == (Outcome.BOTH, 3, 3)


def test_the_largest_difference_comes_first_then_the_key() -> None:
    found = compare(totals(c=1, b=1, a=1, d=9), totals(a=2, b=2, c=2, d=1))
    assert [difference.key for difference in found.differences] == [("d",), ("a",), ("b",), ("c",)]
    assert found.differences[0] == Difference(("d",), 9, 1)


def test_the_first_hundred_keys_are_shown_and_all_are_counted() -> None:
    found = compare(totals(**{f"k{i:03}": 1 for i in range(150)}), totals())
    assert len(found.keys) == KEYS_SHOWN == 100
    assert (found.keys_total, found.lost) == (150, 150)


def test_keys_are_named_by_the_database_and_printable() -> None:
    expected = Totals(("(value ->> 'price')",), {("1.5",): 1})
    found = compare(expected, Totals(("price",), {(Decimal("1.5"),): 2}))
    assert found.named(found.keys[0]) == {"price": "1.5"}


def test_a_failed_check_is_no_pass() -> None:
    found = CheckOutcome.failed('relation "clicks" does not exist')
    assert found.outcome is Outcome.INCONCLUSIVE
    assert (found.lost, found.counted_twice, found.keys_total) == (None, None, 0)
    assert found.reason == 'relation "clicks" does not exist'


def test_total_of_nothing() -> None:
    assert total(()) == 0
