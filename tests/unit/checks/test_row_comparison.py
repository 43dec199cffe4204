"""Rows against the clean run: what each difference is, and which ones have two readings."""

import pytest

from killpoint.checks.outcome import Outcome
from killpoint.checks.row_comparison import RowsFound
from killpoint.faults.table_image import TableImage
from tests.support.images import columns, compared, counts, orders, payload, table

LOST, TWICE = Outcome.LOST, Outcome.COUNTED_TWICE


def test_what_the_clean_run_left_is_clean() -> None:
    assert compared(counts(a=1, b=2), counts(b=2, a=1)) == RowsFound()


@pytest.mark.parametrize(
    ("now", "outcomes", "lost", "twice"),
    [
        (counts(a=3, b=4), {TWICE}, 0, 2),
        (counts(a=3, b=1), {LOST}, 1, 0),
        (counts(a=3), {LOST}, 1, 0),
        (counts(a=5, b=1), {LOST, TWICE}, 1, 2),
    ],
)
def test_a_counter_further_on_is_counted_twice_and_one_behind_is_lost(
    now: TableImage, outcomes: set[Outcome], lost: int, twice: int
) -> None:
    found = compared(counts(a=3, b=2), now)
    assert found.outcomes == outcomes and not found.doubts
    assert sum(int(each.lost) for each in found.differences) == lost
    assert sum(int(each.counted_twice) for each in found.differences) == twice


def test_a_stock_that_goes_down_is_counted_twice_further_down() -> None:
    full = counts(a=100)
    assert compared(counts(a=60), counts(a=55), full).outcomes == {TWICE}
    assert compared(counts(a=60), counts(a=65), full).outcomes == {LOST}
    assert compared(counts(a=-5), counts(a=-10)).outcomes == {TWICE}


@pytest.mark.parametrize(
    ("clean", "now", "before"),
    [
        (counts(a=0), counts(a=1), None),  # nothing was counted in the clean run
        (counts(a=7), counts(a=8), counts(a=7)),
        (counts(a=60), counts(a=101), counts(a=100)),  # it went the other way
        (counts(a=3), counts(a="NaN"), None),
    ],
)
def test_a_number_without_a_known_direction_is_not_judged(
    clean: TableImage, now: TableImage, before: TableImage | None
) -> None:
    found = compared(clean, now, before)
    assert (found.outcomes, len(found.doubts)) == (set(), 1)
    assert "counts.clicks of a is" in found.doubts[0]


def test_the_first_number_of_a_row_counts_for_it() -> None:
    shape = columns(code="other", clicks="number", amount="number")
    clean, now = (table(row, columns=shape) for row in (("a", 1, 10), ("a", 2, 20)))
    found = compared(clean, now)
    assert [each.counted_twice for each in found.differences] == [1, 0]
    assert [each.key for each in found.differences] == [
        ("counts", "a", "clicks"),
        ("counts", "a", "amount"),
    ]


def test_another_value_is_stale_and_a_missing_one_partial() -> None:
    clean = orders((1, "done", 5))
    assert compared(clean, orders((1, "new", 5))).outcomes == {Outcome.STALE}
    found = compared(clean, orders((1, None, 5)))
    assert found.outcomes == {Outcome.PARTIAL}
    assert (found.differences[0].expected, found.differences[0].actual) == ("done", None)
    assert compared(clean, orders((1, "done", None))).outcomes == {Outcome.PARTIAL}


def test_rows_without_a_key_are_counted() -> None:
    clean = payload("a", "b", "b")
    assert compared(clean, payload("a", "b")).outcomes == {LOST}
    assert compared(clean, payload("a", "b", "b", "b")).outcomes == {TWICE}
    assert compared(clean, payload("b", "b", "b")).outcomes == {LOST, TWICE}
    assert compared(clean, payload("a", "b", "b", "new")).outcomes == {TWICE}


def test_without_a_key_a_number_is_that_of_the_only_row_with_the_same_texts() -> None:
    clean = table(("a", 1), ("b", 1), keys=())
    found = compared(clean, table(("a", 1), ("b", 2), keys=()))
    assert (found.outcomes, found.doubts) == ({TWICE}, [])


def test_numbers_that_are_only_written_otherwise_are_the_same() -> None:
    clean = table(("a", "0.3"), columns=columns(code="other", clicks="float"))
    now = table(("a", "0.30000000000000004"), columns=clean.columns)
    assert compared(clean, now) == RowsFound()
    assert compared(counts(a="1.50"), counts(a="1.5")) == RowsFound()


def test_a_table_that_is_gone_has_lost_its_rows() -> None:
    assert compared(counts(a=1), None).outcomes == {LOST}


def test_a_table_of_another_shape_can_not_be_judged() -> None:
    found = compared(counts(a=1), table(("a",), columns=columns(code="other")))
    assert found.doubts == ["counts has no column clicks any more"]
