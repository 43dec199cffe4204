"""The guarantees: four words and their diamond."""

import pytest

from killpoint.checks.guarantee import Guarantee, join, left_by
from killpoint.checks.outcome import Outcome

NONE, MOST, LEAST, ONCE = Guarantee


def test_words() -> None:
    words = ["no guarantee", "at most once", "at least once", "effectively once"]
    assert [str(guarantee) for guarantee in Guarantee] == words


def test_a_requirement_is_met_by_itself_or_anything_above() -> None:
    met = {(a, b) for a in Guarantee for b in Guarantee if a.meets(b)}
    itself = {(guarantee, guarantee) for guarantee in Guarantee}
    assert met - itself == {(ONCE, MOST), (ONCE, LEAST), (ONCE, NONE), (MOST, NONE), (LEAST, NONE)}


@pytest.mark.parametrize(
    ("guarantees", "joined"),
    [([], ONCE), ([ONCE, MOST], MOST), ([MOST, LEAST], NONE), ([LEAST, NONE], NONE)],
)
def test_join(guarantees: list[Guarantee], joined: Guarantee) -> None:
    assert join(guarantees) is joined


@pytest.mark.parametrize(
    ("outcome", "left"),
    [
        (Outcome.CLEAN, ONCE),
        (Outcome.LOST, MOST),
        (Outcome.COUNTED_TWICE, LEAST),
        (Outcome.BOTH, NONE),
        (Outcome.PHANTOM, NONE),
        (Outcome.STALE, NONE),
        (Outcome.PARTIAL, NONE),
        (Outcome.STUCK, None),
        (Outcome.INCONCLUSIVE, None),
    ],
)
def test_what_an_outcome_leaves(outcome: Outcome, left: Guarantee | None) -> None:
    assert left_by(outcome) is left
