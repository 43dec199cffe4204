"""Record batches: headers only, partial ends, control batches, old message sets."""

import struct

from killpoint.faults.wire.record_batch import CONTROL, TRANSACTIONAL, Batch, batches
from killpoint.faults.wire.walk import Walk, Walker
from tests.support.feeding import feedings
from tests.support.kafka_talk import batch


def seen(parts: list[bytes], size: int) -> tuple[list[Batch], bytes | None]:
    """The batches of a records field, and the byte behind it."""
    found: list[Batch] = []

    def field_and_next() -> Walk[bytes]:
        yield from batches(size, found.append)
        return (yield 1)

    walker = Walker(field_and_next())
    for part in parts:
        walker.feed(memoryview(part))
    return found, walker.result


def test_batches_are_told_by_their_headers() -> None:
    records = batch(7, 3) + batch(10, 1, size=0) + batch(20, 2, last_delta=9)
    for parts in feedings(records + b"X"):
        found, behind = seen(parts, len(records))
        assert found == [Batch(7, 10, 3), Batch(10, 11, 1), Batch(20, 30, 2)]
        assert behind == b"X"


def test_a_partial_batch_at_the_end_is_passed_over() -> None:
    for cut in (1, 11, 16, 17, 40, 60, 61, 70):
        records = batch(7, 3) + batch(10, 1)[:cut]
        found, behind = seen([records + b"X"], len(records))
        assert (found, behind) == ([Batch(7, 10, 3)], b"X")


def test_attributes_and_producer() -> None:
    records = batch(0, 1, attributes=TRANSACTIONAL, producer=9) + batch(
        1, 1, attributes=TRANSACTIONAL | CONTROL, producer=9
    )
    found, _ = seen([records], len(records))
    assert found == [Batch(0, 1, 1, False, True, 9), Batch(1, 2, 1, True, True, 9)]


def test_old_messages_count_one_each() -> None:
    def message(offset: int, magic: int) -> bytes:
        body = struct.pack(">ibb", 0, magic, 0) + bytes(8 * magic) + struct.pack(">ii", -1, -1)
        return struct.pack(">qi", offset, len(body)) + body

    records = message(3, 0) + message(4, 1)
    found, behind = seen([records + b"X"], len(records))
    assert (found, behind) == ([Batch(3, 4, 1), Batch(4, 5, 1)], b"X")


def test_nonsense_ends_the_walk_of_the_field_only() -> None:
    for length in (-1, 0, 4, 48):
        records = struct.pack(">qiib", 1, length, 0, 2) + bytes(100)
        found, behind = seen([records + b"X"], len(records))
        assert (found, behind) == ([], b"X")


def test_a_null_field_has_no_batches() -> None:
    assert seen([b"X"], -1)[0] == []
