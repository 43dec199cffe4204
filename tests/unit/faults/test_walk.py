"""Walks are fed whole or in crumbs, skip what they do not want, and fail quietly."""

import pytest

from killpoint.faults.wire.walk import (
    ASK_LIMIT,
    Walk,
    Walker,
    WalkError,
    length_of_bytes,
    skip_tags,
    string,
    unsigned_varint,
)
from tests.support.feeding import feedings


def walked(walk: Walk[object], data: bytes) -> object:
    walker = Walker(walk)
    walker.feed(memoryview(data))
    return walker.end()


def head_and_tail() -> Walk[tuple[bytes, bytes]]:
    head = yield 2
    yield -5
    nothing = yield 0
    assert nothing == b""
    return head, (yield 3)


def test_a_walk_sees_the_same_however_it_is_fed() -> None:
    for parts in feedings(b"ab.....xyz and what follows"):
        walker = Walker(head_and_tail())
        for part in parts:
            walker.feed(memoryview(part))
        assert walker.result == (b"ab", b"xyz")


def test_a_walk_that_ends_early_has_no_result() -> None:
    assert walked(head_and_tail(), b"ab.....xy") is None


def test_a_walk_may_say_what_it_knows_when_the_stream_ends() -> None:
    def careful() -> Walk[str]:
        try:
            yield 10
        except WalkError:
            return "cut short"
        return "whole"

    assert walked(careful(), b"123") == "cut short"
    assert walked(careful(), b"1234567890") == "whole"


def test_what_a_walk_raises_stays_inside() -> None:
    def clumsy() -> Walk[str]:
        return (yield 2).decode("ascii")

    assert walked(clumsy(), b"\xff\xff and more") is None


def test_a_walk_may_not_ask_for_more_than_the_limit() -> None:
    def greedy() -> Walk[bytes]:
        return (yield ASK_LIMIT + 1)

    assert walked(greedy(), bytes(ASK_LIMIT + 1)) is None


@pytest.mark.parametrize(
    ("data", "value"),
    [(b"\x00", 0), (b"\x7f", 127), (b"\x80\x01", 128), (b"\xff\xff\xff\xff\x0f", 2**32 - 1)],
)
def test_varints(data: bytes, value: int) -> None:
    assert walked(unsigned_varint(), data) == value


def test_a_varint_has_at_most_five_bytes() -> None:
    assert walked(unsigned_varint(), b"\x80" * 6) is None


@pytest.mark.parametrize(
    ("compact", "data", "text"),
    [
        (True, b"\x03ab", "ab"),
        (True, b"\x01", ""),
        (True, b"\x00", None),
        (False, b"\x00\x02ab", "ab"),
        (False, b"\xff\xff", None),
    ],
)
def test_strings(compact: bool, data: bytes, text: str | None) -> None:
    assert walked(string(compact), data) == text


@pytest.mark.parametrize(
    ("compact", "data", "length"),
    [
        (True, b"\x00", -1),
        (True, b"\x05", 4),
        (False, b"\xff\xff\xff\xff", -1),
        (False, b"\0\0\0\4", 4),
    ],
)
def test_lengths(compact: bool, data: bytes, length: int) -> None:
    assert walked(length_of_bytes(compact), data) == length


def test_tags_are_skipped() -> None:
    def after(flexible: bool) -> Walk[bytes]:
        yield from skip_tags(flexible)
        return (yield 1)

    assert walked(after(True), b"\x02\x00\x01a\x07\x02bbX") == b"X"
    assert walked(after(False), b"X") == b"X"
