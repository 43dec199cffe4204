"""Whether crash states stand for all their moments: two kills in one state must agree. Pure.

Counterpart: the plan of a sweep tells it what became of each kill, and tries every moment once it
found two that differ: something that killpoint does not see then belongs to the state.
"""

from dataclasses import dataclass

from killpoint.faults.crash_state import CrashState
from killpoint.faults.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Seen:
    """What became of one kill: its scenario and its outcome with its amounts, in words."""

    scenario: Scenario
    outcome: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Two kills in one crash state that came to different outcomes."""

    state: CrashState
    first: Seen
    second: Seen


class Agreement:
    """Compares the outcomes of each crash state."""

    def __init__(self) -> None:
        self._seen: dict[CrashState, Seen] = {}

    def compare(self, state: CrashState, seen: Seen) -> Difference | None:
        """Take in a kill that left nothing running in the servers."""
        first = self._seen.setdefault(state, seen)
        return None if first.outcome == seen.outcome else Difference(state, first, seen)
