"""What makes two records the same event."""

from dataclasses import replace

from killpoint.checks.duplicates import source_duplicates
from killpoint.faults.record import Record

ONE = Record("clicks", 0, 0, b"k", b'{"id": 1}', (("trace", b"a"),))


def test_the_same_bytes_again_are_a_duplicate_wherever_they_stand() -> None:
    again = replace(ONE, partition=1, offset=7, timestamp=5)
    assert source_duplicates([ONE, again]) == 1
    assert source_duplicates([ONE, again, again]) == 2


def test_what_differs_is_another_event() -> None:
    others = [
        replace(ONE, topic="orders"),
        replace(ONE, key=None),
        replace(ONE, value=b'{"id":1}'),
        replace(ONE, headers=()),
    ]
    assert source_duplicates([ONE, *others]) == 0


def test_tombstones_and_what_the_target_wrote_do_not_count() -> None:
    tombstone = replace(ONE, value=None)
    assert source_duplicates([tombstone, tombstone]) == 0
    assert source_duplicates([ONE, replace(ONE, origin="target")]) == 0
