"""The plan of a sweep: it gives each lane its next scenario and is told what became of it. Pure.

Counterpart: `cli/session/handout` asks it for every lane that is free. A plan may choose by what it
was told (a second moment of a crash state, a kill during a recovery) and by the time gone by; it
knows no lanes and no clock.
"""

from collections.abc import Sequence
from typing import Protocol

from killpoint.faults.durability import Place
from killpoint.faults.history import History
from killpoint.faults.scenario import Scenario


class Struck(Protocol):
    """A fault of a finished run as a plan may read it. Counterpart: `run.FaultRecord`."""

    @property
    def reached(self) -> bool: ...
    @property
    def place(self) -> Place | None: ...
    @property
    def left_behind(self) -> tuple[str, ...]: ...


class Ran(Protocol):
    """A finished run as a plan may read it. Counterpart: `run.RunRecord`."""

    @property
    def scenario(self) -> Scenario: ...
    @property
    def history(self) -> History: ...
    @property
    def faults(self) -> Sequence[Struck]: ...


class Plan(Protocol):
    """What a sweep does. `total`: how many scenarios it is, as far as is known by now."""

    @property
    def total(self) -> int: ...

    def next(self, seconds: float) -> Scenario | None:
        """The scenario to run next, `seconds` after the sweep began; None if there is none now.

        Asked again whenever a run has finished. The sweep is over when it gives none and no run is
        under way. The ids of its scenarios differ.
        """
        ...

    def finished(self, record: Ran, outcome: str) -> None:
        """A run it asked for is over; `outcome` has its amounts, "" where it was inconclusive.

        Told in the order of finishing, which is not that of asking where there are several lanes.
        Told again, for good, where a run was void and made again, as another had disturbed it.
        """
        ...


class Listed:
    """The plan of a list that is known from the start: one after the other, whatever comes."""

    def __init__(self, scenarios: Sequence[Scenario]) -> None:
        self._scenarios = tuple(scenarios)
        self._given = 0

    @property
    def total(self) -> int:
        """The length of the list."""
        return len(self._scenarios)

    def next(self, seconds: float) -> Scenario | None:
        """The next one of the list."""
        if self._given == len(self._scenarios):
            return None
        self._given += 1
        return self._scenarios[self._given - 1]

    def finished(self, record: Ran, outcome: str) -> None:
        """Changes nothing."""
