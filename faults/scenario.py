"""Scenarios: the faults of one run, in order, as frozen data: a run IS its scenario."""

from dataclasses import dataclass
from typing import Final

from killpoint.faults.moment import Moment

KILL: Final = "kill"
"""The one action that ends the target by force: what was held is never sent."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is done at which moment."""

    at: Moment
    action: str

    def __str__(self) -> str:
        return f"{self.action} at {self.at}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """The faults of one run; a later one is met after the restart that the earlier one caused.

    `required`: whether its first moment was seen in every clean run, or was named by the user.
    """

    id: str
    faults: tuple[Fault, ...] = ()
    name: str | None = None
    required: bool = True
