"""Scenarios: the faults of one run, in order, as frozen data: a run IS its scenario."""

from dataclasses import dataclass
from typing import Final

from killpoint.faults.moment import Moment

KILL: Final = "kill"
"""The target is ended by force: what was held is never sent."""
TERMINATE: Final = "terminate"
"""An orderly stop, as in every deploy."""
OVERTAKE: Final = "overtake"
"""A kill that first lets an offset pass the work that is held."""
SWEPT: Final = (KILL, TERMINATE)
"""The actions that a sweep can do at any moment."""
KILLS: Final = frozenset({KILL, OVERTAKE})
"""The actions after which what was held is never sent."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is done at which moment."""

    at: Moment
    action: str

    def __str__(self) -> str:
        return f"{self.action} at {self.at}"

    @property
    def feasible(self) -> bool:
        """Whether it can be done there: what an offset passes is not held on Kafka's own edge."""
        return self.action != OVERTAKE or self.at.edge != "kafka"


@dataclass(frozen=True, slots=True)
class Scenario:
    """The faults of one run; a later one is met after the restart that the earlier one caused.

    `required`: whether its first moment was seen in every clean run, or was named by the user.
    """

    id: str
    faults: tuple[Fault, ...] = ()
    name: str | None = None
    required: bool = True
