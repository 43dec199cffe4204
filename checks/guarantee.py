"""The four guarantees and their order: a diamond.

    effectively once  above  at most once, at least once  above  no guarantee

"At most once" and "at least once" are not comparable. A guarantee is known here by the defects that
it admits, so that the order is set inclusion and the join is union.
"""

from collections.abc import Iterable
from enum import StrEnum

from killpoint.checks.outcome import Outcome


class Guarantee(StrEnum):
    """The field's words, as the result and the configuration carry them."""

    NONE = "no guarantee"
    AT_MOST_ONCE = "at most once"
    AT_LEAST_ONCE = "at least once"
    EFFECTIVELY_ONCE = "effectively once"

    def meets(self, requirement: "Guarantee") -> bool:
        """Whether this guarantee is the required one or one above it."""
        return _ADMITS[self] <= _ADMITS[requirement]


_LOST, _TWICE = "lost", "counted twice"
_ADMITS = {
    Guarantee.EFFECTIVELY_ONCE: frozenset[str](),
    Guarantee.AT_MOST_ONCE: frozenset({_LOST}),
    Guarantee.AT_LEAST_ONCE: frozenset({_TWICE}),
    Guarantee.NONE: frozenset({_LOST, _TWICE}),
}
_BY_DEFECTS = {defects: guarantee for guarantee, defects in _ADMITS.items()}

# Half an event ("partial"), one that never was and one overwritten by an older one are covered by
# neither "at most once" nor "at least once".
_LEAVES = {
    Outcome.CLEAN: Guarantee.EFFECTIVELY_ONCE,
    Outcome.LOST: Guarantee.AT_MOST_ONCE,
    Outcome.COUNTED_TWICE: Guarantee.AT_LEAST_ONCE,
    Outcome.BOTH: Guarantee.NONE,
    Outcome.PHANTOM: Guarantee.NONE,
    Outcome.STALE: Guarantee.NONE,
    Outcome.PARTIAL: Guarantee.NONE,
}


def join(guarantees: Iterable[Guarantee]) -> Guarantee:
    """The strongest guarantee that all of them meet; "effectively once" if there are none."""
    return _BY_DEFECTS[frozenset[str]().union(*(_ADMITS[each] for each in guarantees))]


def left_by(outcome: Outcome) -> Guarantee | None:
    """The guarantee that one scenario's outcome leaves standing.

    None for `stuck` and `inconclusive`, which say nothing of loss or double counting.
    """
    return _LEAVES.get(outcome)
