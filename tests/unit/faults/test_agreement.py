"""Two kills in one crash state must come to the same."""

from killpoint.faults.agreement import Agreement, Difference, Seen
from killpoint.faults.crash_state import NO_NUMBERS, NOTHING, CrashState
from killpoint.faults.scenario import Scenario

ONE = CrashState(transactions=NO_NUMBERS.with_one(1))


def seen(id: str, outcome: str) -> Seen:
    return Seen(Scenario(id), outcome)


def test_other_states_may_differ() -> None:
    agreement = Agreement()
    assert agreement.compare(NOTHING, seen("S01", "clean")) is None
    assert agreement.compare(ONE, seen("S02", "lost")) is None
    assert agreement.compare(NOTHING, seen("S03", "clean")) is None


def test_the_same_state_may_not() -> None:
    agreement = Agreement()
    agreement.compare(ONE, seen("S01", "clean"))
    found = agreement.compare(ONE, seen("S02", "lost"))
    assert found == Difference(ONE, seen("S01", "clean"), seen("S02", "lost"))
