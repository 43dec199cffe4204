"""Laws of scalars, numbers and totals."""

import json
from decimal import Decimal
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from killpoint.checks.number import Number, add, exact, excess, negative
from killpoint.checks.scalar import printable, scalar
from killpoint.checks.totals import Totals

decimals = st.decimals(allow_nan=False, allow_infinity=False, places=6)
floats = st.floats(allow_nan=False, allow_infinity=False)
raw_numbers = st.integers() | decimals | floats
cells = (
    st.none()
    | st.booleans()
    | st.text()
    | st.binary()
    | raw_numbers
    | st.dates()
    | st.datetimes()
    | st.uuids()
    | st.recursive(st.integers() | st.text() | decimals, lambda inner: st.lists(inner, max_size=3))
)
rows = st.lists(st.tuples(st.integers(0, 3), st.text(max_size=1), raw_numbers), max_size=20)


def number(value: object) -> Number:
    found = exact(value)
    assert found is not None
    return found


@given(cells)
def test_scalar_is_idempotent_hashable_and_printable(value: object) -> None:
    once = scalar(value)
    assert scalar(once) == once
    hash(once)
    json.dumps(printable(once))


@given(decimals, st.integers(0, 5))
def test_trailing_zeros_do_not_matter(value: Decimal, zeros: int) -> None:
    longer = Decimal(f"{value:f}" + "0" * zeros)
    assert scalar(value) == scalar(longer)
    assert hash(scalar(value)) == hash(scalar(longer))


@given(floats)
def test_a_float_is_its_shortest_text(value: float) -> None:
    assert float(number(value)) == value


@given(raw_numbers, raw_numbers, raw_numbers)
def test_addition_is_exact(a: object, b: object, c: object) -> None:
    x, y, z = number(a), number(b), number(c)
    assert add(x, y) == add(y, x)
    assert add(add(x, y), z) == add(x, add(y, z))
    assert add(add(x, y), negative(y)) == x


@given(raw_numbers, raw_numbers)
def test_excess_splits_a_difference(a: object, b: object) -> None:
    x, y = number(a), number(b)
    assert add(excess(x, y), negative(excess(y, x))) == add(x, negative(y))
    assert excess(x, y) == 0 or excess(y, x) == 0


@given(rows, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(found: list[tuple[object, ...]], random: Random) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    names = ["a", "b", "n"]
    assert Totals.of(names, found) == Totals.of(names, shuffled)


@given(rows, rows)
def test_totals_of_all_rows_are_the_sum_of_the_parts(
    left: list[tuple[object, ...]], right: list[tuple[object, ...]]
) -> None:
    names = ["a", "b", "n"]
    assert Totals.of(names, left + right) == Totals.of(names, left).plus(Totals.of(names, right))
