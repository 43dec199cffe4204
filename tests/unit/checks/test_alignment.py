"""Alignment: two queries of two databases that mean the same keys."""

from decimal import Decimal

import pytest

from killpoint.checks.alignment import align, read_text
from killpoint.checks.scalar import Scalar
from killpoint.checks.totals import Key, Totals, TotalsError


def one_column(*cells: Scalar) -> Totals:
    return Totals(("id",), {(cell,): 1 for cell in cells})


def keys(totals: Totals) -> set[Key]:
    return set(totals.numbers)


def test_columns_in_another_order_belong_together_by_name() -> None:
    expected = Totals(("Status", "code"), {("open", "a"): 1})
    actual = Totals(("code", "status"), {("a", "open"): 1})
    assert align(expected, actual) == (actual, actual)


def test_columns_of_other_names_belong_together_by_place() -> None:
    expected = Totals(("(value ->> 'code')",), {("a",): 1})
    actual = Totals(("code",), {("a",): 1})
    assert align(expected, actual) == (actual, actual)


def test_columns_must_be_as_many() -> None:
    with pytest.raises(TotalsError, match=r"\(code, day\), actual has \(code\)"):
        align(Totals(("code", "day"), {}), Totals(("code",), {}))


def test_text_is_read_as_numbers_where_the_other_side_has_numbers() -> None:
    expected, actual = align(one_column("4711", "1.50", None), one_column(4711, Decimal("1.5"), 7))
    assert keys(expected) == {(4711,), (Decimal("1.5"),), (None,)}
    assert keys(actual) == {(4711,), (Decimal("1.5"),), (7,)}
    assert align(actual, one_column("7"))[1].numbers == {(7,): 1}


def test_texts_of_one_number_are_added_up() -> None:
    assert align(one_column("1", "1.0"), one_column(1))[0].numbers == {(1,): 2}


def test_text_is_read_as_booleans_where_the_other_side_has_booleans() -> None:
    expected, _ = align(one_column("true", "f", "maybe"), one_column(True, False))
    assert keys(expected) == {(True,), (False,), ("maybe",)}


@pytest.mark.parametrize("text", ["", " 1", "1_000", "NaN", "\u0661", "-", "1e999999999", "4711a"])
def test_what_only_looks_like_a_number_stays_text(text: str) -> None:
    assert keys(align(one_column(text), one_column(1))[0]) == {(text,)}


def test_text_stays_text_where_both_sides_have_text() -> None:
    both = one_column("007", "7")
    assert align(both, one_column("7")) == (both, one_column("7"))


def test_text_stays_text_beside_an_empty_side() -> None:
    assert keys(align(one_column("7"), one_column())[0]) == {("7",)}


@pytest.mark.parametrize(
    ("text", "read"), [("7", 7), ("t", True), ("x", "x"), (None, None), (7, 7), (True, True)]
)
def test_read_text(text: Scalar, read: Scalar) -> None:
    assert read_text(text) == read
