"""The handout: gives the scenarios of a plan to the lanes, each to the first that is free.

Counterpart: `faults.plan` says which scenario is next, the examination's lanes ask here. A lane
that gets nothing while others still run waits: what they find may give it more to do.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from killpoint.faults.plan import Plan, Ran
from killpoint.faults.scenario import Scenario


@dataclass(slots=True)
class Handout:
    """One sweep's. `first` is the number of its first scenario; they count in order of handing."""

    plan: Plan
    first: int = 1
    clock: Callable[[], float] = monotonic
    began: float = field(init=False)
    _given: int = 0
    _running: int = 0
    _finished: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.began = self.clock()

    async def take(self) -> tuple[int, Scenario] | None:
        """The next scenario and its number; None when the sweep is over."""
        while (scenario := self.plan.next(self.clock() - self.began)) is None:
            if not self._running:
                return None
            await self._finished.wait()
        self._given += 1
        self._running += 1
        return self.first + self._given - 1, scenario

    def finished(self, record: Ran, outcome: str) -> None:
        """Tell the plan, and wake the lanes that wait."""
        self.plan.finished(record, outcome)
        self._running -= 1
        self._finished.set()
        self._finished = asyncio.Event()
