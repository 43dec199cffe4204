"""Framing: runs, frames, long messages, and lengths that cannot be."""

from killpoint.faults.wire.postgres_frames import Frame, Frames
from tests.support.feeding import feedings
from tests.support.postgres_talk import typed

QUERY = ord("Q")


def test_a_run_of_messages_without_meaning_is_one() -> None:
    rows = typed("D", b"row") * 100
    query = typed("Q", b"select")
    assert Frames({QUERY: 10}).feed(rows + query + rows) == [
        rows,
        Frame(QUERY, b"select", query),
        rows,
    ]


def test_frames_are_the_same_however_they_arrive() -> None:
    stream = (typed("D", b"row") * 3 + typed("Q", b"select") + typed("d", b"x" * 2000)) * 2
    for parts in feedings(stream):
        frames = Frames({QUERY: 10})
        found = [item for part in parts for item in frames.feed(part)]
        assert [item.body for item in found if isinstance(item, Frame)] == [b"select"] * 2
        passed = [item.data if isinstance(item, Frame) else item for item in found]
        assert b"".join(passed) == stream


def test_of_a_long_message_the_head_is_kept_and_the_end_held() -> None:
    message = typed("Q", b"0123456789" + b"x" * 1000)
    frames = Frames({QUERY: 10})
    assert frames.feed(message[:100]) == [message[:100]]
    assert frames.feed(message[100:-1]) == [message[100:-1]]
    assert frames.feed(message[-1:]) == [Frame(QUERY, b"0123456789", message[-1:])]
    assert frames.feed(message) == [Frame(QUERY, b"0123456789", message)]


def test_rest() -> None:
    message = typed("Q", b"select")
    frames = Frames({QUERY: 10})
    assert frames.feed(message[:3]) == []
    assert frames.feed(message[3:-1]) == []
    assert frames.rest() == message[:-1]
    assert frames.rest() == b""


def test_a_length_that_cannot_be_breaks_the_reading() -> None:
    frames = Frames({QUERY: 10})
    data = typed("D", b"row") + b"Q\0\0\0\x03 and more"
    assert frames.feed(data) == [data]
    assert frames.broken
