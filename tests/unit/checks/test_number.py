"""Exact numbers: what is kept exact, and what is refused."""

import json
from decimal import Decimal

import pytest

from killpoint.checks.number import (
    DIGITS,
    Number,
    NumberError,
    add,
    amount,
    exact,
    excess,
    negative,
)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3),
        (3.0, 3),
        (0.1, Decimal("0.1")),
        (1e300, 10**300),
        (Decimal("1.50"), Decimal("1.5")),
        (Decimal("120.00"), 120),
        (Decimal("-0"), 0),
    ],
)
def test_one_form_for_each_number(value: object, number: Number) -> None:
    found = exact(value)
    assert found == number
    assert type(found) is type(number)


@pytest.mark.parametrize("value", [True, None, "1", b"1", [1]])
def test_other_types_are_no_numbers(value: object) -> None:
    assert exact(value) is None


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity"), Decimal("1E+999999999")],
)
def test_what_is_not_finite_or_too_long_is_refused(value: object) -> None:
    with pytest.raises(NumberError):
        exact(value)


def test_integers_have_a_limit_that_python_can_still_print() -> None:
    longest = 10**DIGITS - 1
    assert json.loads(json.dumps(exact(longest))) == longest
    with pytest.raises(NumberError):
        exact(longest + 1)
    with pytest.raises(NumberError):
        add(longest, 1)


def test_sums_are_not_rounded_to_the_28_digits_of_the_default_context() -> None:
    large, small = Decimal("1E+40"), Decimal("1E-40")
    total = add(exact(large) or 0, small)
    assert add(total, negative(10**40)) == small


def test_negation_is_not_rounded() -> None:
    long = Decimal("0." + "123456789" * 5)
    assert negative(long).as_tuple().digits == long.as_tuple().digits  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("left", "right", "more"), [(5, 3, 2), (3, 5, 0), (Decimal("0.3"), 0, 0.3)]
)
def test_excess_is_never_negative(left: Number, right: Number, more: float) -> None:
    assert excess(left, right) == exact(more)


def test_excess_is_not_rounded() -> None:
    long = Decimal("-0." + "123456789" * 5)
    assert excess(0, long) == negative(long)


@pytest.mark.parametrize(
    ("number", "written"), [(3, 3), (Decimal("0.5"), "0.5"), (Decimal("1E-7"), "0.0000001")]
)
def test_amounts_in_the_result(number: Number, written: int | str) -> None:
    assert amount(number) == written


def test_no_amount() -> None:
    assert amount(None) is None
