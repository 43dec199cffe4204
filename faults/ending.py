"""How a run ended: drained, stuck, or inconclusive with its reason and what to do."""

from dataclasses import dataclass
from enum import StrEnum


class End(StrEnum):
    """`drained`: the target had nothing left to do; only then do the totals say anything."""

    DRAINED = "drained"
    STUCK = "stuck"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Ending:
    """`reason` says what happened and why, `remedy` the line to add or the thing to do."""

    end: End
    reason: str | None = None
    remedy: str | None = None


DRAINED = Ending(End.DRAINED)
