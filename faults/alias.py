"""What is called after the run's group, told by one name in every run. Pure.

Kafka Connect and Kafka Streams keep a state in topics, and write in transactions, of such names.
Where killpoint gives each run a group of its own, `killpoint-7f-3-configs` would name a moment of
that run alone; it is told as `{group}-configs`, and found again by that.

Counterpart: the watch tells events so to the gate and to the history, whose moments and crash
states are compared between runs; `progress` knows topics by their own names.
"""

from dataclasses import replace
from typing import Any, Final

from killpoint.faults.events import Event

GROUP: Final = "{group}"


def told(events: tuple[Event, ...], group: str) -> tuple[Event, ...]:
    """The events, with `group` told as `{group}` in the names of topics and transactions."""
    return tuple(_told(event, group) for event in events)


def _told(event: Event, group: str) -> Event:
    changes: dict[str, Any] = {}
    for field in ("spans", "positions"):
        places = getattr(event, field, ())
        if any(group in place.topic for place in places):
            changes[field] = tuple(replace(p, topic=p.topic.replace(group, GROUP)) for p in places)
    transaction: str | None = getattr(event, "transactional_id", None)
    if transaction is not None and group in transaction:
        changes["transactional_id"] = transaction.replace(group, GROUP)
    return replace(event, **changes) if changes else event
