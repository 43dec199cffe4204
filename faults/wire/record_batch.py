"""Record batches by their headers: which offsets, how many records, and whether control records.

Source: "Record Batch" of the Kafka documentation (magic 2); message sets of magic 0 and 1 are
tolerated (one message each; a compressed one counts as one). Counterpart: `kafka_fetch` and
`kafka_produce` walk the records field of a frame with it. Records themselves are never read.
"""

import struct
from collections.abc import Callable
from typing import Final, NamedTuple

from killpoint.faults.wire.walk import Walk

PREFIX: Final = struct.Struct(">qiib")
"""Base offset, length after the length field, leader epoch (magic 0 and 1: the CRC), magic."""
REST: Final = struct.Struct(">4xhi16xq6xi")
"""After the magic: CRC, attributes, last offset delta, timestamps, producer, epoch, count."""
LENGTH_ENDS: Final = 12
TRANSACTIONAL: Final = 1 << 4
CONTROL: Final = 1 << 5


class Batch(NamedTuple):
    """One batch: offsets `first` up to, not including, `next`, and how many `records`.

    Compaction leaves `records` smaller than the span of the offsets. `producer` is -1 without one.
    """

    first: int
    next: int
    records: int
    control: bool = False
    transactional: bool = False
    producer: int = -1


def batches(size: int, seen: Callable[[Batch], None]) -> Walk[None]:
    """Walk a records field of `size` bytes, telling each whole batch to `seen`.

    A broker cuts the last batch where its limit ends ("partial" batch): it is passed over, as
    clients do.
    """
    while size >= PREFIX.size:
        first, length, _, magic = PREFIX.unpack((yield PREFIX.size))
        body = length - (PREFIX.size - LENGTH_ENDS)
        size -= PREFIX.size
        if body < 0 or body > size:
            break
        if magic >= 2:
            if body < REST.size:
                break
            attributes, delta, producer, records = REST.unpack((yield REST.size))
            control = bool(attributes & CONTROL)
            transactional = bool(attributes & TRANSACTIONAL)
            seen(Batch(first, first + delta + 1, records, control, transactional, producer))
            yield REST.size - body
        else:
            seen(Batch(first, first + 1, 1))
            yield -body
        size -= body
    yield -size
