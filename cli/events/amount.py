"""An integer of its own for each event, so that a sum says which events are missing or doubled.

Sums go into 32-bit columns, hence the bounds.
"""

from itertools import count as numbers_from
from math import isqrt
from typing import Final

FEW: Final = 19
"""3**0 + … + 3**18, doubled, is below 2**31."""


def amount(i: int, count: int) -> int:
    """The amount of event `i` (from 0) among `count`.

    Up to 19 events: powers of three. Every set of lost and doubled events then changes the sum by
    another number (balanced ternary). More: the numbers 2pk + (k² mod p) of Erdős and Turán, whose
    sums of two, and so their differences, are all different; below 2p², p about `count`: in 32 bits
    for 30,000 events, and the sum of them all for 1,200.
    """
    if count <= FEW:
        return int(3**i)
    prime = prime_above(count)
    place = i + 1
    return 2 * prime * place + place * place % prime


def prime_above(number: int) -> int:
    """The least prime greater than `number`."""
    return next(candidate for candidate in numbers_from(number + 1) if is_prime(candidate))


def is_prime(number: int) -> bool:
    """By trial division: numbers here are counts of events."""
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))
