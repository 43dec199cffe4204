"""Moments: the places in a conversation that can be named and stopped at.

A name reads `edge.event{selector}#n:side`, for example `postgres.commit#2:after` or
`kafka.offset_commit{topic="clicks",partition=0,offset=6}:before`. A `Moment` is such a name; a
`Sighting` is one occurrence on the wire, which a moment matches or not.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Value = str | int


class Side(StrEnum):
    """`before`: the request is held. `after`: the server has acted, its answer is held."""

    BEFORE = "before"
    AFTER = "after"


ONLY_AFTER: Final = frozenset({"join", "fetch"})
REPLICA: Final = "replica"
"""The selector of one instance of the target, from 1; it is known to every event."""
_OF_ALL: Final = frozenset({REPLICA})
KAFKA_SELECTORS: Final = _OF_ALL | {"topic", "partition", "offset"}
EVENTS: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "kafka": {
        "join": _OF_ALL,
        "fetch": KAFKA_SELECTORS,
        "offset_commit": KAFKA_SELECTORS,
        "produce": _OF_ALL | {"topic", "partition"},
        "txn_offset_commit": KAFKA_SELECTORS,
        "end_txn": _OF_ALL,
    },
    "postgres": {
        "begin": _OF_ALL,
        "write": _OF_ALL | {"transaction", "statement"},
        "commit": _OF_ALL | {"transaction"},
        "rollback": _OF_ALL | {"transaction"},
    },
}
"""The events of each kind of edge, with the selectors that each knows."""


class MomentError(ValueError):
    """A text that names no moment; the message says what is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The name of a moment. `number` counts matches since the target's last start, from 1.

    Without a number the first match is meant. With a replica its matches since its own start count.
    """

    edge: str
    event: str
    side: Side
    selector: tuple[tuple[str, Value], ...] = ()
    number: int | None = None

    def __str__(self) -> str:
        inner = ",".join(f"{name}={json.dumps(value)}" for name, value in self.selector)
        selector = f"{{{inner}}}" if inner else ""
        number = "" if self.number is None else f"#{self.number}"
        return f"{self.edge}.{self.event}{selector}{number}:{self.side}"

    @property
    def replica(self) -> int | None:
        """The instance that it names, if it names one."""
        named = dict(self.selector).get(REPLICA)
        return named if isinstance(named, int) else None


@dataclass(frozen=True, slots=True)
class Sighting:
    """One occurrence of an event on the wire.

    `identities` has one mapping for each partition (Kafka) or exactly one (Postgres), each with the
    replica where there are several; `number` is the event's count since the last start of the
    target, or of that replica; a pair of sides shares it.
    """

    edge: str
    event: str
    side: Side
    number: int
    identities: tuple[tuple[tuple[str, Value], ...], ...] = ()

    @property
    def replica(self) -> Value:
        """The instance that it is of; 0 where there is one alone."""
        return dict(self.identities[0]).get(REPLICA, 0) if self.identities else 0
