"""Totals from rows: the last column is the number, the others are the key."""

from decimal import Decimal

import pytest

from killpoint.checks.totals import Totals, TotalsError


def test_last_column_is_the_number() -> None:
    totals = Totals.of(["code", "day", "clicks"], [("a", 1, 3), ("b", 1, Decimal("2.50"))])
    assert totals.columns == ("code", "day")
    assert totals.numbers == {("a", 1): 3, ("b", 1): Decimal("2.5")}


def test_a_key_that_comes_twice_is_added_up() -> None:
    totals = Totals.of(["code", "clicks"], [("a", 1), ("b", 5), ("a", 0.1), ("a", 0.2)])
    assert totals.numbers == {("a",): Decimal("1.3"), ("b",): 5}


def test_one_number_without_a_key() -> None:
    assert Totals.of(["count"], [(12,)]).numbers == {(): 12}


def test_the_sum_of_no_rows_is_zero() -> None:
    assert Totals.of(["sum"], [(None,)]).numbers == {(): 0}


def test_no_rows() -> None:
    assert Totals.of(["code", "clicks"], []) == Totals(("code",), {})


def test_no_column_is_refused() -> None:
    with pytest.raises(TotalsError, match="no column"):
        Totals.of([], [])


@pytest.mark.parametrize("value", ["12", True, b"1", [1]])
def test_a_last_column_that_is_no_number_is_named(value: object) -> None:
    with pytest.raises(TotalsError, match='last column "clicks" is not a number'):
        Totals.of(["code", "clicks"], [("a", value)])


def test_nan_is_refused() -> None:
    with pytest.raises(TotalsError, match='"clicks" cannot be compared'):
        Totals.of(["code", "clicks"], [("a", float("nan"))])


def test_a_sum_that_cannot_be_held_exactly_is_refused() -> None:
    with pytest.raises(TotalsError, match='"clicks" cannot be added up'):
        Totals.of(["clicks"], [(10**4000 - 1,), (1,)])


def test_columns_are_told_apart() -> None:
    totals = Totals.of(["?column?", "?column?", "a", "n"], [(1, 2, 3, 4)])
    assert totals.columns == ("?column?", "?column?_2", "a")


def test_plus() -> None:
    left = Totals(("code",), {("a",): 1, ("b",): 2})
    right = Totals(("code",), {("b",): 3, ("c",): 4})
    assert left.plus(right).numbers == {("a",): 1, ("b",): 5, ("c",): 4}
    assert left.numbers == {("a",): 1, ("b",): 2}
