"""Framing: small frames whole, large ones cut through, nothing lost, memory bounded."""

import struct

from killpoint.faults.events import ForeignSpeech, GroupNamed
from killpoint.faults.wire.kafka_frames import NOTHING, SMALL, KafkaFrames, Meaning
from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.walk import Walk
from tests.support.feeding import feedings


def first_byte(size: int) -> Walk[Meaning]:
    """A frame names a group by its first byte, opens its size and closes one."""
    name = yield 1
    yield 1 - size
    return Meaning((GroupNamed(name.decode()),), opens=(size,), closes=(1,))


def frame(body: bytes) -> bytes:
    return struct.pack(">i", len(body)) + body


def fed(parts: list[bytes]) -> list[Piece]:
    frames = KafkaFrames(first_byte)
    return [piece for part in parts for piece in frames.feed(part)]


def test_a_small_frame_is_one_piece_with_its_meaning() -> None:
    stream = frame(b"abc") + frame(b"de")
    whole = [
        Piece(frame(b"abc"), (GroupNamed("a"),), opens=(3,), closes=(1,)),
        Piece(frame(b"de"), (GroupNamed("d"),), opens=(2,), closes=(1,)),
    ]
    for parts in feedings(stream):
        assert fed(parts) == whole


def test_the_largest_small_frame_is_kept_until_it_is_whole() -> None:
    frames = KafkaFrames(first_byte)
    data = frame(b"s" * SMALL)
    assert frames.feed(data[:-1]) == []
    assert [piece.data for piece in frames.feed(data[-1:])] == [data]


def test_a_large_frame_is_cut_through_and_its_last_piece_says_what_it_means() -> None:
    data = frame(b"L" + bytes(SMALL))
    frames = KafkaFrames(first_byte)
    assert frames.feed(data[:3]) == []
    assert frames.feed(data[3:100]) == [Piece(data[:100])]
    assert frames.feed(data[100:-1]) == [Piece(data[100:-1])]
    (last,) = frames.feed(data[-1:])
    assert (last.data, last.events, last.opens) == (b"\0", (GroupNamed("L"),), (SMALL + 1,))


def test_a_segment_is_split_at_the_border_of_a_large_frame() -> None:
    large, small = frame(b"L" + bytes(SMALL)), frame(b"s")
    pieces = fed([large + small])
    assert [piece.data for piece in pieces] == [large, small]
    assert [piece.events for piece in pieces] == [(GroupNamed("L"),), (GroupNamed("s"),)]


def test_an_empty_frame_means_nothing() -> None:
    assert fed([frame(b"") + frame(b"x")])[0] == NOTHING.on(frame(b""))


def test_a_negative_length_passes_with_all_that_follows() -> None:
    stream = frame(b"a") + b"\xff\xff\xff\xfe" + frame(b"b")
    for parts in feedings(stream):
        pieces = fed(parts)
        assert b"".join(piece.data for piece in pieces) == stream
        assert [piece.events for piece in pieces if piece.events] == [(GroupNamed("a"),)]


def test_end_of_file_gives_out_what_was_kept_and_what_comes_after_passes() -> None:
    frames = KafkaFrames(first_byte)
    assert frames.feed(frame(b"abc")[:5]) == []
    assert frames.feed(b"") == [Piece(frame(b"abc")[:5])]
    assert frames.feed(b"") == []
    assert frames.feed(b"x") == [Piece(b"x")]


def test_end_of_file_inside_a_large_frame() -> None:
    frames = KafkaFrames(first_byte)
    data = frame(b"L" + bytes(SMALL))
    frames.feed(data[:-10])
    assert frames.feed(b"") == []


def test_a_meaning_instead_of_a_walk_says_that_these_are_no_frames() -> None:
    foreign = Meaning((ForeignSpeech("TLS"),))
    frames = KafkaFrames(lambda size: foreign)
    assert frames.feed(b"\x16\x03\x01\x02more") == [foreign.on(b"\x16\x03\x01\x02more")]
    assert frames.feed(b"yet more") == [Piece(b"yet more")]


def test_given_up_frames_let_go_of_what_they_kept() -> None:
    frames = KafkaFrames(first_byte)
    frames.feed(b"\0\0")
    frames.give_up()
    assert frames.feed(b"x") == [Piece(b"\0\0x")]
