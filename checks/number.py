"""Exact numbers: what a check adds up and compares, an integer where it is whole, else a decimal.

Counterpart: `totals.py` reads them from rows, `comparison.py` subtracts them. Binary floats are
taken by their shortest decimal form (`repr`), as both databases print them. Nothing is rounded:
what cannot be held exactly is refused.
"""

from decimal import Context, Decimal, DecimalException, DivisionByZero, Inexact, InvalidOperation
from decimal import Overflow as DecimalOverflow
from typing import Final

Number = int | Decimal

DIGITS: Final = 4_000
"""The longest number, in digits on either side of the point: Python prints no longer integers."""

_EXACT: Final = Context(
    prec=2 * DIGITS,
    Emax=DIGITS - 1,
    Emin=-DIGITS,
    traps=[Inexact, InvalidOperation, DecimalOverflow, DivisionByZero],
)
_LIMIT: Final = 10**DIGITS


class NumberError(ArithmeticError):
    """A number that is no finite number or too long to be exact."""


def exact(value: object) -> Number | None:
    """The exact number that a database's value stands for, or None if it is not of a number type.

    Raises NumberError for NaN, an infinity, and more than DIGITS digits.
    """
    if type(value) is int:  # The usual case, first: there may be a million keys.
        return _bounded(value)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if isinstance(value, int):
        return _bounded(value)
    return whole(Decimal(repr(value)) if isinstance(value, float) else value)


def whole(value: Decimal) -> Number:
    """The decimal without trailing zeros, as an int where it has no fraction."""
    if not value.is_finite():
        raise NumberError(f"{value} is not a number that can be compared")
    try:
        shortest = value.normalize(_EXACT)
    except DecimalException as error:
        raise NumberError(f"{value:.6e} has more than {DIGITS} digits") from error
    return int(shortest) if shortest == shortest.to_integral_value() else shortest


def add(left: Number, right: Number) -> Number:
    """The exact sum."""
    if isinstance(left, int) and isinstance(right, int):
        return _bounded(left + right)
    try:
        return whole(_EXACT.add(left, right))
    except DecimalException as error:
        raise NumberError(f"a sum has more than {DIGITS} digits") from error


def excess(left: Number, right: Number) -> Number:
    """What `left` has more than `right`, exactly: max(0, left - right)."""
    if left <= right:
        return 0
    return add(left, negative(right))


def negative(number: Number) -> Number:
    """The number with the other sign; unary minus would round a decimal."""
    return -number if isinstance(number, int) else number.copy_negate()


def amount(number: Number | str | None) -> int | str | None:
    """The number as the result's JSON carries it: integers as they are, others as strings.

    A text, which a value that is no number has, stays as it is.
    """
    return f"{number:f}" if isinstance(number, Decimal) else number


def _bounded(value: int) -> int:
    if not -_LIMIT < value < _LIMIT:
        raise NumberError(f"a number has more than {DIGITS} digits")
    return value
