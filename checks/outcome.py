"""Outcomes: what became of one check, one clean run or one scenario, in nine words.

Counterpart: `comparison.py` finds the outcome of a check, `merge` that of several together,
`verdict.py` what all scenarios mean for the guarantee.
"""

from collections.abc import Iterable
from enum import StrEnum


class Outcome(StrEnum):
    """The words of the result's contract."""

    CLEAN = "clean"
    LOST = "lost"
    COUNTED_TWICE = "counted twice"
    BOTH = "both"
    PHANTOM = "phantom"
    STALE = "stale"
    PARTIAL = "partial"
    STUCK = "stuck"
    INCONCLUSIVE = "inconclusive"

    @property
    def wrong(self) -> bool:
        """Whether the totals were found wrong: a refutation, which stands whatever else happens."""
        return self not in {Outcome.CLEAN, Outcome.STUCK, Outcome.INCONCLUSIVE}


# Any two of these together are "both": the order below would swallow one, and which one would
# depend on the order of merging.
_INCOMPARABLE = frozenset({Outcome.LOST, Outcome.COUNTED_TWICE, Outcome.PARTIAL})

# From harmless to grave.
_GRAVITY = (
    Outcome.CLEAN,
    Outcome.INCONCLUSIVE,
    Outcome.LOST,
    Outcome.COUNTED_TWICE,
    Outcome.PARTIAL,
    Outcome.BOTH,
    Outcome.STALE,
    Outcome.PHANTOM,
    Outcome.STUCK,
)


def merge(outcomes: Iterable[Outcome]) -> Outcome:
    """The worst of several outcomes of one run.

    A check that failed to run makes the others' "clean" inconclusive, never a pass, but does not
    take back what another check refuted. Nothing to merge is inconclusive: nothing was checked.
    """
    found = set(outcomes)
    if not found:
        return Outcome.INCONCLUSIVE
    if len(found & _INCOMPARABLE) > 1:
        found.add(Outcome.BOTH)
    return max(found, key=_GRAVITY.index)
