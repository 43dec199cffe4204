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
KAFKA_SELECTORS: Final = frozenset({"topic", "partition", "offset"})
EVENTS: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "kafka": {
        "join": frozenset(),
        "fetch": KAFKA_SELECTORS,
        "offset_commit": KAFKA_SELECTORS,
        "produce": frozenset({"topic", "partition"}),
        "txn_offset_commit": KAFKA_SELECTORS,
        "end_txn": frozenset(),
    },
    "postgres": {
        "begin": frozenset(),
        "write": frozenset({"transaction", "statement"}),
        "commit": frozenset({"transaction"}),
        "rollback": frozenset({"transaction"}),
    },
}
"""The events of each kind of edge, with the selectors that each knows."""


class MomentError(ValueError):
    """A text that names no moment; the message says what is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The name of a moment. `number` counts matches since the target's last start, from 1.

    Without a number the first match is meant.
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


@dataclass(frozen=True, slots=True)
class Sighting:
    """One occurrence of an event on the wire.

    `identities` has one mapping for each partition (Kafka) or exactly one (Postgres); `number` is
    the event's count since the last start of the target; a pair of sides shares it.
    """

    edge: str
    event: str
    side: Side
    number: int
    identities: tuple[tuple[tuple[str, Value], ...], ...] = ()
