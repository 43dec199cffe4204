"""Scalars: values of both databases in one form."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest

from killpoint.checks.scalar import Scalar, order, printable, scalar

NOON = datetime(2024, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Decimal("1.50"), Decimal("1.5")),
        (Decimal("2.00"), 2),
        (0.1, Decimal("0.1")),
        (float("nan"), Decimal("NaN")),
        (float("-inf"), Decimal("-Infinity")),
        (NOON, NOON.replace(tzinfo=None)),
        (NOON, datetime(2024, 1, 31, 14, tzinfo=timezone(timedelta(hours=2)))),
        (NOON, "2024-01-31T12:00:00Z"),
        (date(2024, 1, 31), "2024-01-31"),
        (UUID(int=10), "00000000-0000-0000-0000-00000000000a"),
        ({"b": [Decimal("1.0")], "a": None}, {"a": None, "b": [1]}),
        ((1, 2), [1, 2]),
        ({1: "x"}, {"1": "x"}),
    ],
)
def test_equal(left: object, right: object) -> None:
    assert scalar(left) == scalar(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [("1", 1), ("1.50", "1.5"), (None, "null"), (None, 0), ("a", "A"), (b"a", "a")],
)
def test_different(left: object, right: object) -> None:
    assert scalar(left) != scalar(right)


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (None, None),
        (True, True),
        (b"hi", "\\x6869"),
        (time(1, 2), "01:02:00"),
        (datetime(2024, 1, 1, 0, 0, 0, 500000), "2024-01-01T00:00:00.500000Z"),
        ({"ö": [1.5, None, "x"]}, '{"ö":["1.5",null,"x"]}'),
        (timedelta(days=1), "1 day, 0:00:00"),
    ],
)
def test_form(value: object, form: Scalar) -> None:
    assert scalar(value) == form


def test_printable_is_json() -> None:
    assert printable(Decimal("1E-7")) == "0.0000001"
    assert printable(7) == 7


def test_order_takes_mixed_kinds() -> None:
    cells: list[Scalar] = ["a", 2, None, Decimal("1.5"), True, "B"]
    assert sorted(cells, key=order) == [None, True, Decimal("1.5"), 2, "B", "a"]
