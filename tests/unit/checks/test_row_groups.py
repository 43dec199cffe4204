"""Differences with two readings: nothing is chosen, so that nobody is accused by a guess."""

from killpoint.checks.outcome import Outcome
from killpoint.checks.row_comparison import RowsFound
from tests.support.images import columns, compared, orders, payload, table

LOST, TWICE = Outcome.LOST, Outcome.COUNTED_TWICE


def test_numbers_alone_have_two_readings() -> None:
    clean = table((10,), (20,), (30,), columns=columns(n="number"), keys=())
    found = compared(clean, table((10,), (30,), (30,), columns=columns(n="number"), keys=()))
    assert found.outcomes == set() and "a number of a row may have changed" in found.doubts[0]


def test_a_text_that_changed_without_a_key_has_two_readings() -> None:
    found = compared(payload("a", "b"), payload("a", "c"))
    assert found.outcomes == set() and "the missing ones with another key" in found.doubts[0]


def test_ids_given_anew_after_a_restart_accuse_nobody() -> None:
    clean = orders((1, "a", 5), (2, "b", 6), (3, "c", 7))
    shifted = orders((1, "a", 5), (52, "b", 6), (53, "c", 7))
    assert compared(clean, shifted).outcomes == set()
    # The same ids, given to other rows: the second batch was inserted twice, or lost.
    repeated = orders((1, "a", 5), (2, "b", 6), (3, "b", 6), (4, "c", 7))
    shorter = orders((1, "a", 5), (2, "c", 7))
    for now in (repeated, shorter):
        assert compared(clean, now).outcomes == set()
    assert compared(clean, repeated, None, "id").outcomes == {TWICE}
    assert compared(clean, shorter, None, "id").outcomes == {LOST}
    assert compared(clean, shifted, None, "id") == RowsFound()


def test_a_natural_key_of_numbers_is_believed() -> None:
    clean = orders((1, "a", 5), (2, "b", 6))
    assert compared(clean, orders((1, "a", 10), (2, "b", 6))).outcomes == {TWICE}
    assert compared(clean, orders((1, "a", 5))).outcomes == {LOST}
