"""A record of the ledger: one event as the topic really holds it."""

from typing import NamedTuple

Headers = tuple[tuple[str, bytes | None], ...]
"""In their order; a name may come again, a value may be missing."""


class Record(NamedTuple):
    """A tuple, which takes a third of a dataclass's time to make: there may be a million.

    `origin` is "killpoint" or "target"; `timestamp` is in ms since 1970; headers keep order.

    `decoded`: the value as JSON, where its bytes are of a format with a schema.
    """

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Headers = ()
    timestamp: int = 0
    origin: str = "killpoint"
    decoded: str | None = None
