"""Laws of the comparison and of exposure."""

from hypothesis import given
from hypothesis import strategies as st

from killpoint.checks.comparison import compare
from killpoint.checks.exposure import exposure, within
from killpoint.checks.number import Number, add, negative
from killpoint.checks.outcome import Outcome
from killpoint.checks.totals import Key, Totals

numbers: st.SearchStrategy[Number] = st.integers(0, 50) | st.decimals(0, 50, places=2)
texts = st.sampled_from(["a", "b", "c", "d", "true", "12"])
counts = st.lists(st.sampled_from("abcd"), max_size=30)


@st.composite
def totals_of(draw: st.DrawFn) -> Totals:
    found = draw(st.dictionaries(texts, numbers))
    return Totals(("code",), {(code,): number for code, number in found.items()})


any_totals = totals_of()


def mass(totals: Totals) -> Number:
    found: Number = 0
    for number in totals.numbers.values():
        found = add(found, number)
    return found


def count(events: list[str]) -> Totals:
    return Totals.of(["code", "clicks"], [(event, 1) for event in events])


@given(any_totals)
def test_nothing_differs_from_itself(totals: Totals) -> None:
    assert compare(totals, totals).outcome is Outcome.CLEAN


@given(any_totals, any_totals)
def test_swapping_the_sides_swaps_lost_and_counted_twice(left: Totals, right: Totals) -> None:
    there, back = compare(left, right), compare(right, left)
    assert (there.lost, there.counted_twice) == (back.counted_twice, back.lost)


@given(any_totals, any_totals)
def test_lost_and_counted_twice_account_for_the_whole_difference(
    expected: Totals, actual: Totals
) -> None:
    found = compare(expected, actual)
    assert found.lost is not None
    assert found.counted_twice is not None
    difference = add(found.counted_twice, negative(found.lost))
    assert difference == add(mass(actual), negative(mass(expected)))
    assert (found.outcome is Outcome.CLEAN) == (found.keys_total == 0)


@given(any_totals, any_totals)
def test_the_keys_that_differ_are_all_there(expected: Totals, actual: Totals) -> None:
    def differs(key: Key) -> bool:
        return expected.numbers.get(key, 0) != actual.numbers.get(key, 0)

    keys = expected.numbers.keys() | actual.numbers.keys()
    found = compare(expected, actual)
    assert {each.key for each in found.differences} == set(filter(differs, keys))
    sizes = [add(each.lost, each.counted_twice) for each in found.differences]
    assert sizes == sorted(sizes, reverse=True)


@given(counts, st.data())
def test_a_consumer_without_a_cure_costs_just_what_was_exposed(
    events: list[str], data: st.DataObject
) -> None:
    counted = data.draw(st.integers(0, len(events)), "counted at the kill")
    position = data.draw(st.integers(0, len(events)), "the restart fetches from")
    at_kill, suffix = count(events[:counted]), count(events[position:])
    bound = exposure(count(events[:position]), suffix, count(events), at_kill)
    audited = compare(count(events), at_kill.plus(suffix))
    assert bound is not None
    assert (bound.lost, bound.counted_twice) == (audited.lost, audited.counted_twice)
    assert within(bound, audited)
    assert (bound.lost, bound.counted_twice) == (
        max(0, position - counted),
        max(0, counted - position),
    )


@given(counts, st.data())
def test_an_event_too_many_or_too_few_is_never_explained(
    events: list[str], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(events)), "counted and saved")
    prefix, everything = count(events[:place]), count(events)
    bound = exposure(prefix, count(events[place:]), everything, prefix)
    assert bound is not None
    assert within(bound, compare(everything, everything))
    assert not within(bound, compare(everything, count([*events, "a"])))
    if events:
        assert not within(bound, compare(everything, count(events[1:])))
