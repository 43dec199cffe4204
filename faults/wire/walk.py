"""Walks: generators that read a stream of bytes as it comes, without holding it.

A walk yields a positive number to be sent exactly that many bytes, a negative one to have that
many skipped (it is then sent b""), and returns what it learnt. A `Walker` feeds it, however the
stream is cut up. Counterpart: `kafka_frames` gives every frame to a walk. Nothing here knows of
Kafka beyond the primitive types of its protocol ("Protocol Primitive Types" of the guide).
"""

import struct
from collections.abc import Generator
from typing import Final, Generic, TypeVar

T = TypeVar("T")
Walk = Generator[int, bytes, T]

ASK_LIMIT: Final = 4 * 1024 * 1024
"""The most bytes that a walk may ask for at once: what a walker holds is bounded by it."""

I16: Final = struct.Struct(">h")
I32: Final = struct.Struct(">i")


class WalkError(ValueError):
    """The bytes are not what the walk expected; only walks raise it and only walkers see it."""


class Walker(Generic[T]):
    """Feeds one walk. `result` is None until the walk has returned, and for ever if it failed."""

    def __init__(self, walk: Walk[T]) -> None:
        self.result: T | None = None
        self._walk = walk
        self._kept = bytearray()
        self._want = 0
        self._over = False
        self._advance(None)

    def feed(self, data: memoryview) -> None:
        """Give the walk the next bytes of its stream; those after its end are ignored."""
        at, end = 0, len(data)
        while not self._over:
            if self._want < 0:
                step = min(-self._want, end - at)
                at += step
                self._want += step
                if self._want:
                    return
                self._advance(b"")
                continue
            missing = self._want - len(self._kept)
            if end - at < missing:
                self._kept += data[at:]
                return
            chunk = bytes(data[at : at + missing])
            at += missing
            if self._kept:
                chunk = bytes(self._kept) + chunk
                self._kept.clear()
            self._advance(chunk)

    def end(self) -> T | None:
        """The stream is over: a walk that still wanted more is told so. Returns the result."""
        if not self._over:
            self._refuse("the frame ended early")
        return self.result

    def _advance(self, chunk: bytes | None) -> None:
        """Run the walk up to its next wish. Whatever it raises means: these bytes say nothing."""
        try:
            self._want = next(self._walk) if chunk is None else self._walk.send(chunk)
        except StopIteration as stop:
            self.result = stop.value
            self._over = True
        except Exception:
            self._over = True
        else:
            if self._want > ASK_LIMIT:
                self._refuse("more bytes wanted at once than a walk may hold")

    def _refuse(self, why: str) -> None:
        """Raise WalkError inside the walk, where it may still say what it knows by returning."""
        self._over = True
        self._kept.clear()
        try:
            self._walk.throw(WalkError(why))
        except StopIteration as stop:
            self.result = stop.value
        except Exception:
            self.result = None


def unsigned_varint() -> Walk[int]:
    """An UNSIGNED_VARINT: seven bits a byte, the lowest first, at most five bytes."""
    value = 0
    for shift in range(0, 35, 7):
        byte = (yield 1)[0]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value
    raise WalkError("a varint of more than five bytes")


def length_of_bytes(compact: bool) -> Walk[int]:
    """The length of (NULLABLE_, COMPACT_) BYTES or RECORDS, or of an ARRAY; -1 is null."""
    if compact:
        return (yield from unsigned_varint()) - 1
    length: int = I32.unpack((yield 4))[0]
    return max(length, -1)


def string(compact: bool) -> Walk[str | None]:
    """A (COMPACT_, NULLABLE_) STRING."""
    if compact:
        length = (yield from unsigned_varint()) - 1
    else:
        (length,) = I16.unpack((yield 2))
    return None if length < 0 else (yield length).decode()


def skip_tags(flexible: bool) -> Walk[None]:
    """The tagged fields at the end of a structure (KIP-482), where the version has them."""
    if not flexible:
        return
    for _ in range((yield from unsigned_varint())):
        yield from unsigned_varint()
        yield -(yield from unsigned_varint())
