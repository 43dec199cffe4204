"""Exposure, and the measured table "what killing at exact moments gives" by arithmetic."""

from decimal import Decimal

import pytest

from killpoint.checks.check import Check, expected_totals
from killpoint.checks.comparison import CheckOutcome, compare
from killpoint.checks.exposure import Exposure, exposure, within
from killpoint.checks.ledger import Ledger
from killpoint.checks.number import Number
from killpoint.checks.totals import Totals
from killpoint.faults.position import Position
from killpoint.faults.record import Record


def totals(**numbers: Number) -> Totals:
    return Totals(("code",), {(code,): number for code, number in numbers.items()})


def bound_of(expected: Totals, actual: Totals) -> Exposure:
    found = exposure(expected, totals(), expected, actual)
    assert found is not None
    return found


# 12 events in batches of 3, the kill in the second batch. What the database holds at the kill, and
# the position that the restart fetches from, for each cell of the table in wire-facts.
CELLS = [
    # consumer, moment, events counted, next offset, lost, counted twice
    ("count, then save", "records fetched", 3, 3, 0, 0),
    ("count, then save", "COMMIT held before the server", 3, 3, 0, 0),
    ("count, then save", "COMMIT done, answer held", 6, 3, 0, 3),
    ("count, then save", "offset commit held before the broker", 6, 3, 0, 3),
    ("count, then save", "offset commit done, answer held", 6, 6, 0, 0),
    ("save, then count", "records fetched", 3, 3, 0, 0),
    ("save, then count", "offset commit held before the broker", 3, 3, 0, 0),
    ("save, then count", "offset commit done, answer held", 3, 6, 3, 0),
    ("save, then count", "COMMIT held before the server", 3, 6, 3, 0),
    ("save, then count", "COMMIT done, answer held", 6, 6, 0, 0),
    ("offset in the same transaction", "COMMIT held before the server", 3, 3, 0, 0),
    ("offset in the same transaction", "COMMIT done, answer held", 6, 6, 0, 0),
]
COUNT = Check(
    "clicks per link",
    "select value->>'code' as code, count(*) as clicks from events group by 1",
    "select code, clicks from click_counts",
)


@pytest.mark.parametrize(("consumer", "moment", "counted", "next_offset", "lost", "twice"), CELLS)
def test_the_measured_table(
    consumer: str, moment: str, counted: int, next_offset: int, lost: int, twice: int
) -> None:
    values = [b'{"code": "link-%d"}' % (offset % 4) for offset in range(12)]
    ledger = Ledger([Record("clicks", 0, at, None, value) for at, value in enumerate(values)])
    position = [Position("clicks", 0, next_offset)]
    suffix = expected_totals(ledger.after(position), COUNT)
    everything = expected_totals(ledger, COUNT)
    at_kill = expected_totals(ledger.before([Position("clicks", 0, counted)]), COUNT)

    prefix = expected_totals(ledger.before(position), COUNT)
    bound = exposure(prefix, suffix, everything, at_kill)
    audited = compare(everything, at_kill.plus(suffix))

    assert bound is not None
    assert (bound.lost, bound.counted_twice) == (lost, twice), f"{consumer}: {moment}"
    assert (audited.lost, audited.counted_twice) == (lost, twice)
    assert within(bound, audited)


def test_a_check_that_is_not_additive_has_no_exposure() -> None:
    # "the highest amount": the maximum of all is not the sum of the two maxima
    assert exposure(totals(a=5), totals(a=7), totals(a=7), totals(a=5)) is None


def test_exact_decimals_are_additive() -> None:
    tenth, two = Decimal("0.1"), Decimal("0.2")
    bound = exposure(totals(a=tenth), totals(a=two), totals(a=Decimal("0.3")), totals())
    assert bound is not None
    assert (bound.lost, bound.counted_twice) == (tenth, 0)


def test_absorbed_is_within() -> None:
    bound = bound_of(totals(a=3), totals(a=6))
    assert within(bound, compare(totals(a=12), totals(a=12)))
    assert within(bound, compare(totals(a=12), totals(a=14)))


@pytest.mark.parametrize("actual", [totals(a=16), totals(a=11), totals(a=12, b=1)])
def test_more_or_other_than_the_crash_state_explains(actual: Totals) -> None:
    bound = bound_of(totals(a=3), totals(a=6))
    assert not within(bound, compare(totals(a=12), actual))


def test_a_bound_holds_for_each_key_and_not_for_their_sum() -> None:
    bound = bound_of(totals(a=3, b=3), totals(a=0, b=3))
    assert not within(bound, compare(totals(a=6, b=6), totals(a=6, b=3)))


def test_keys_that_were_text_at_the_kill_and_are_numbers_in_the_audit() -> None:
    expected = Totals(("id",), {("4711",): 3})
    bound = bound_of(expected, Totals(("id",), {}))
    assert within(bound, compare(Totals(("id",), {("4711",): 3}), Totals(("id",), {(4711,): 1})))


def test_a_failed_check_needs_no_explanation() -> None:
    assert within(bound_of(totals(), totals()), CheckOutcome.failed("no such table"))
