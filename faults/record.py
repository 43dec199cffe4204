"""A record of the ledger: one event as the topic really holds it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Record:
    """`origin` is "killpoint" or "target"; `timestamp` is in ms since 1970; headers keep order.

    `decoded`: the value as JSON, where its bytes are of a format with a schema.
    """

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()
    timestamp: int = 0
    origin: str = "killpoint"
    decoded: str | None = None
