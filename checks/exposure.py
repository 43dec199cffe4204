"""Exposure: what a crash could at worst cost, computed from the crash state (design, step 9).

Pure arithmetic over totals. Counterpart: the audit after the drain, which must lie within it; less
is "absorbed" (the consumer's cure worked), more is "unexplained". It makes no claim for checks that
are not additive, such as a maximum or a set of distinct values.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from killpoint.checks.alignment import read_text
from killpoint.checks.comparison import CheckOutcome, Difference, RowDifference, compare
from killpoint.checks.number import Number, add
from killpoint.checks.outcome import Outcome
from killpoint.checks.totals import Key, Totals


@dataclass(frozen=True, slots=True)
class Exposure:
    """The most that can be lost and counted twice, in the check's unit; `differences` by key."""

    lost: Number
    counted_twice: Number
    differences: tuple[Difference | RowDifference, ...] = ()


def exposure(
    expected_prefix: Totals, expected_suffix: Totals, expected_all: Totals, actual_at_kill: Totals
) -> Exposure | None:
    """The exposure of an additive check, or None where the check is not additive.

    The prefix is the ledger before the positions that the restart fetches from, the suffix the
    rest. With E expected over the prefix and A actual on the frozen database, a key can lose at
    most max(0, E - A) and be counted twice by at most max(0, A - E): the restart does the suffix,
    whatever of the prefix is in the database or not.
    """
    if compare(expected_prefix.plus(expected_suffix), expected_all).outcome is not Outcome.CLEAN:
        return None
    gap = compare(expected_prefix, actual_at_kill)
    if gap.lost is None or gap.counted_twice is None:
        return None
    return Exposure(gap.lost, gap.counted_twice, gap.differences)


def within(bound: Exposure, outcome: CheckOutcome) -> bool:
    """Whether the crash state explains what was audited: no key differs by more than its bound.

    A check that could not be run has shown nothing that needs an explanation.
    """
    lost = _by_key((each.key, each.lost) for each in bound.differences)
    twice = _by_key((each.key, each.counted_twice) for each in bound.differences)
    found_lost = _by_key((each.key, each.lost) for each in outcome.differences)
    found_twice = _by_key((each.key, each.counted_twice) for each in outcome.differences)
    return _covered(found_lost, lost) and _covered(found_twice, twice)


def lost_later(bound: Exposure, suffix: Totals, outcome: CheckOutcome) -> bool:
    """Whether what is missing beyond the bound can have been lost by the restart alone.

    `suffix`: the expected totals of the events that the restart fetched. No key may miss more than
    those and its bound together, and none may be counted twice beyond its bound.
    """
    again = compare(suffix, Totals(outcome.columns, {})).differences
    wider = Exposure(bound.lost, bound.counted_twice, (*bound.differences, *again))
    return within(wider, outcome)


def _by_key(amounts: Iterable[tuple[Key, Number]]) -> Mapping[Key, Number]:
    # The same column may have been text at the kill (an empty table aligns nothing) and a number in
    # the audit, so keys are compared by what they spell.
    found: defaultdict[Key, Number] = defaultdict(int)
    for key, number in amounts:
        spelt = tuple(map(read_text, key))
        found[spelt] = add(found[spelt], number)
    return found


def _covered(found: Mapping[Key, Number], bound: Mapping[Key, Number]) -> bool:
    return all(number <= bound.get(key, 0) for key, number in found.items())
