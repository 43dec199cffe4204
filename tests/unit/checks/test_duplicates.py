"""What makes two records the same event."""

import pytest

from killpoint.checks import duplicates
from killpoint.checks.ledger import Ledger
from killpoint.faults.record import Record

Headers = tuple[tuple[str, bytes | None], ...]
ONE = Record("clicks", 0, 0, b"k", b'{"id": 1}', (("trace", b"a"),))


def source_duplicates(records: list[Record]) -> int:
    ledger = Ledger(records)
    try:
        return duplicates.source_duplicates(ledger)
    finally:
        ledger.close()


def test_the_same_bytes_again_are_a_duplicate_wherever_they_stand() -> None:
    again = ONE._replace(partition=1, offset=7, timestamp=5)
    assert source_duplicates([ONE, again]) == 1
    assert source_duplicates([ONE, again, again]) == 2


def test_what_differs_is_another_event() -> None:
    others = [
        ONE._replace(topic="orders"),
        ONE._replace(key=None),
        ONE._replace(value=b'{"id":1}'),
        ONE._replace(headers=()),
    ]
    assert source_duplicates([ONE, *others]) == 0


def test_tombstones_and_what_the_target_wrote_do_not_count() -> None:
    tombstone = ONE._replace(value=None)
    assert source_duplicates([tombstone, tombstone]) == 0
    assert source_duplicates([ONE, ONE._replace(origin="target")]) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((("a", b"1"), ("a", b"2")), (("a", b"2"),)),
        ((("a", b"1"), ("a", b"2")), (("a", b"3"), ("a", b"2"))),
        ((("a", b"\xff"),), (("a", b"\xfe"),)),
        ((("a", b"\xff"),), (("a", None),)),
        ((("a", b""),), (("a", None),)),
        ((("a", b"1"), ("b", b"2")), (("b", b"2"), ("a", b"1"))),
    ],
)
def test_headers_count_as_they_are_and_not_as_their_object(one: Headers, other: Headers) -> None:
    first, second = ONE._replace(headers=one), ONE._replace(headers=other)
    assert source_duplicates([first, second]) == 0
    assert source_duplicates([first, second, second, first]) == 2


def test_no_key_is_not_an_empty_one_and_no_events_repeat_nothing() -> None:
    assert source_duplicates([ONE._replace(key=None), ONE._replace(key=b"")]) == 0
    assert source_duplicates([ONE._replace(key=None), ONE._replace(key=None)]) == 1
    assert source_duplicates([]) == 0
