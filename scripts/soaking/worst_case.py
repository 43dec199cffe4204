"""One of the worst legal conversations, in any size, and what is right to say of it.

Counterparts: `worst_kafka` and `worst_postgres` have them, `worst` feeds them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from killpoint.faults.events import Event
from killpoint.faults.wire.piece import Machine


@dataclass(frozen=True, slots=True)
class Spoken:
    """What is said, by whether the client says it, and what `Case.told` must make of the events."""

    said: Sequence[tuple[bool, bytes]]
    told: object


@dataclass(frozen=True, slots=True)
class Case:
    """`speak` makes it with so many `items`; `memory` are the bytes that may be held for it."""

    name: str
    size: int
    items: str
    memory: int
    machine: Callable[[], Machine]
    speak: Callable[[int], Spoken]
    told: Callable[[list[Event]], Any]


def counted(events: list[Event]) -> dict[str, int]:
    """How often each kind of event was said."""
    return dict(Counter(type(event).__name__ for event in events))
