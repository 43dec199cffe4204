"""The handout: gives the scenarios of a plan to the lanes, each to the first that is free.

Counterpart: `faults.plan` says which scenario is next, the examination's lanes ask here. A lane
that gets nothing while others still run waits: what they find may give it more to do. A run that
disturbs those beside it makes them void: they are run again, and from then on one at a time.
"""

import asyncio
from collections import deque
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
    alone: bool = False
    _began: float = field(init=False)
    _given: list[Scenario] = field(default_factory=list[Scenario])
    _steps: int = 0
    _under_way: dict[int, int] = field(default_factory=dict[int, int])
    _over: dict[int, int] = field(default_factory=dict[int, int])
    _void: set[int] = field(default_factory=set[int])
    _again: deque[int] = field(default_factory=deque[int])
    _finished: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._began = self.clock()

    async def take(self) -> tuple[int, Scenario] | None:
        """The next scenario and its number; None when the sweep is over."""
        while True:
            number = None if self.alone and self._under_way else self._next()
            if number is not None:
                self._under_way[number] = self._step()
                return number, self._given[number - self.first]
            if not self._under_way:
                return None
            await self._finished.wait()

    def finished(
        self, number: int, record: Ran, outcome: str, *, disturbs: bool = False
    ) -> set[int]:
        """Tell the plan, and wake the lanes that wait; returns the runs that are void.

        `disturbs`: it has changed what those beside it read.
        """
        void = self._void_with(number, self._under_way.pop(number), disturbs=disturbs)
        self._over[number] = self._step()
        for other in void:
            del self._over[other]
        self._again.extend(sorted(void))
        if number not in void:
            self.plan.finished(record, outcome)
        self._finished.set()
        self._finished = asyncio.Event()
        return void

    def _void_with(self, number: int, began: int, *, disturbs: bool) -> set[int]:
        """The runs that are over and void, now that this one is."""
        if number in self._void:
            self._void.remove(number)
            return {number}
        if not disturbs or self.alone:
            return set()
        self.alone = True
        self._void |= set(self._under_way)
        beside = {other for other, ended in self._over.items() if ended > began}
        return {number, *beside} if beside or self._void else set()

    def _next(self) -> int | None:
        if self._again:
            return self._again.popleft()
        scenario = self.plan.next(self.clock() - self._began)
        if scenario is None:
            return None
        self._given.append(scenario)
        return self.first + len(self._given) - 1

    def _step(self) -> int:
        self._steps += 1
        return self._steps
