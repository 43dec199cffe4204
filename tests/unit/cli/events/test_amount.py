"""Amounts tell which events are missing or doubled, and fit into 32 bits."""

from itertools import combinations, product

import pytest

from killpoint.cli.events.amount import amount, is_prime, prime_above

INT32 = 2**31 - 1


def amounts(count: int) -> list[int]:
    return [amount(i, count) for i in range(count)]


def test_few_events_every_set_of_lost_and_doubled_ones_changes_the_sum_differently() -> None:
    few = amounts(8)
    changes = [
        sum(sign * one for sign, one in zip(signs, few, strict=True))
        for signs in product((-1, 0, 1), repeat=len(few))
    ]
    assert len(set(changes)) == 3 ** len(few)


def test_few_events_fit_even_when_all_are_doubled() -> None:
    assert 2 * sum(amounts(19)) <= INT32


@pytest.mark.parametrize("count", [20, 101, 300])
def test_many_events_differ_in_every_sum_and_difference_of_two(count: int) -> None:
    pairs = list(combinations(amounts(count), 2))
    assert len({left + right for left, right in pairs}) == len(pairs)
    assert len({right - left for left, right in pairs}) == len(pairs)


@pytest.mark.parametrize("count", [1, 19, 20, 1000, 30_000])
def test_they_are_positive_grow_and_fit(count: int) -> None:
    found = amounts(count)
    assert found[0] > 0
    assert found == sorted(set(found))
    assert found[-1] <= INT32


def test_the_sum_of_a_thousand_fits() -> None:
    assert sum(amounts(1200)) <= INT32


def test_primes() -> None:
    assert [number for number in range(20) if is_prime(number)] == [2, 3, 5, 7, 11, 13, 17, 19]
    assert prime_above(7) == 11
