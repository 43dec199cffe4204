"""Source duplicates: events that the topic itself holds again, as a producer's retry leaves them.

Counterpart: the ledger, which counts each of them, since a consumer is judged by offset. They are
reported so that nobody takes them for something that the consumer did.
"""

from collections.abc import Iterable

from killpoint.faults.record import Record


def source_duplicates(records: Iterable[Record]) -> int:
    """How many records repeat an earlier one of their topic: the same key, value and headers.

    Partition and timestamp do not matter. Tombstones (a null value) say nothing that could be the
    same event, and what the target itself wrote is not the source's.
    """
    seen: set[tuple[object, ...]] = set()
    found = 0
    for record in records:
        if record.value is None or record.origin != "killpoint":
            continue
        event = (record.topic, record.key, record.value, tuple(record.headers))
        found += event in seen
        seen.add(event)
    return found
