"""Framing of one direction of a Kafka connection: bytes in, pieces out.

A frame is four bytes of length and that many bytes. Small frames become one piece each, kept back
until they are whole; larger ones are cut through, so a frame of any size costs no memory. Either
way the piece that ends a frame carries its meaning. Counterpart: `kafka` gives each frame a walk.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from killpoint.faults.events import Event
from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.walk import I32, Walk, Walker

SMALL: Final = 64 * 1024
"""Frames up to this many bytes are one piece."""
PREFIX: Final = 4


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a frame says: the fields of the piece that ends it."""

    events: tuple[Event, ...] = ()
    opens: tuple[int, ...] = ()
    closes: tuple[int, ...] = ()

    def on(self, data: bytes) -> Piece:
        """The piece with these bytes and this meaning."""
        return Piece(data, self.events, opens=self.opens, closes=self.closes)


NOTHING: Final = Meaning()
Begin = Callable[[int], Walk[Meaning] | Meaning]
"""Called with the length of each frame. A Meaning instead of a walk says: these are no frames."""


class KafkaFrames:
    """The frames of one direction. Bytes that cannot be frames, and all after them, just pass."""

    def __init__(self, begin: Begin) -> None:
        self._begin = begin
        self._kept = bytearray()
        self._enough = PREFIX  # how many bytes must be there before anything can be said
        self._walker: Walker[Meaning] | None = None
        self._left = 0  # bytes of the present frame still to come
        self._lost = False

    def give_up(self) -> None:
        """What comes from now on is not framed."""
        self._lost = True

    def feed(self, data: bytes) -> list[Piece]:
        """Bytes as they arrive; b"" is end of file and gives out what was kept back."""
        if not data:
            self._lost = True
        elif self._kept and not self._lost and len(self._kept) + len(data) < self._enough:
            self._kept += data
            return []
        if self._kept:
            data = bytes(self._kept) + data
            self._kept.clear()
        pieces: list[Piece] = []
        at = 0
        while at < len(data):
            piece = self._take(data, at)
            if piece is None:
                self._kept += data[at:]
                break
            pieces.append(piece)
            at += len(piece.data)
        return pieces

    def _take(self, data: bytes, at: int) -> Piece | None:
        """The piece that begins at `at`; None if more bytes are needed first."""
        if self._lost:
            return Piece(data[at:])
        if self._walker is not None:
            return self._go_on(self._walker, data, at, at)
        there = len(data) - at
        size = I32.unpack_from(data, at)[0] if there >= PREFIX else 0
        self._enough = PREFIX + size if 0 <= size <= SMALL else PREFIX
        if there < self._enough:
            return None
        begun = self._begin(size) if size >= 0 else NOTHING
        if isinstance(begun, Meaning):
            self._lost = True
            return begun.on(data[at:])
        self._walker, self._left = Walker(begun), size
        return self._go_on(self._walker, data, at, at + PREFIX)

    def _go_on(self, walker: Walker[Meaning], data: bytes, at: int, body: int) -> Piece:
        """Feed the frame that is open, from `body`; the piece begins at `at`."""
        end = min(len(data), body + self._left)
        walker.feed(memoryview(data)[body:end])
        self._left -= end - body
        cut = data if at == 0 and end == len(data) else data[at:end]
        if self._left:
            return Piece(cut)
        self._walker, self._enough = None, PREFIX
        return (walker.end() or NOTHING).on(cut)
