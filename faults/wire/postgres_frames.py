"""Cuts one direction of a Postgres v3 stream into the messages that mean something and the rest.

Counterpart: `postgres_startup` takes the messages before it, which have no type byte; the Postgres
machine reads what comes out. Of messages without meaning (rows, COPY data) only the five bytes of
the header are looked at, and a run of them comes out as one. Memory is bounded by the limits below,
whatever a header claims.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

HEADER: Final = 5
"""Bytes: the type, then the length of the message without its type (protocol, message formats)."""
BODY_LIMIT: Final = 64 * 1024
"""Bytes of a message that are collected and read; a longer one goes on while its head is kept."""


class Frame(NamedTuple):
    """A message with meaning. `body` is what follows its header, at most the limit of its type.

    `data` is what is still to be forwarded: the whole message, or the last bytes of a long one.
    """

    kind: int
    body: bytes
    data: bytes


class Frames:
    """One direction. `limits` has the types that mean something, each with the bytes to read."""

    def __init__(self, limits: Mapping[int, int]) -> None:
        self._limits = limits
        self._waiting: list[bytes] = []  # the start of a message that is not yet whole
        self._size = 0  # bytes in it
        self._needed = HEADER  # bytes that it must have before it is worth a look
        self._left = 0  # bytes to come of the message that goes on while it arrives
        self._kind = 0
        self._head: bytearray | None = None  # of that message, if it means something
        self.broken = False

    def feed(self, data: bytes) -> list[bytes | Frame]:
        """What arrived, in order: runs of bytes to pass on, and frames.

        After a length that cannot be, `broken` is set and everything is passed on.
        """
        if self._waiting:
            self._wait(data)
            if self._size < self._needed:
                return []
            data = self.rest()
        found: list[bytes | Frame] = []
        run, at, size = 0, 0, len(data)
        while at < size and not self.broken:
            start = at
            at, frame = self._long(data, at) if self._left else self._next(data, at)
            if frame is not None:
                found += [data[run:start]] if start > run else []
                found.append(frame)
                run = at
            elif at == start:
                break
        if self.broken:
            at = size
        if at > run:
            found.append(data[run:at])
        if at < size:
            self._wait(data[at:])
        return found

    def rest(self) -> bytes:
        """The bytes of a message that never became whole; to be passed on at the end of file."""
        rest = b"".join(self._waiting)
        self._waiting.clear()
        self._size, self._needed = 0, HEADER
        return rest

    def _wait(self, data: bytes) -> None:
        self._waiting.append(data)
        self._size += len(data)

    def _next(self, data: bytes, at: int) -> tuple[int, Frame | None]:
        """The place after the message at `at` (the same place: more bytes are needed)."""
        size, limits = len(data), self._limits
        while at + HEADER <= size:
            kind = data[at]
            length = int.from_bytes(data[at + 1 : at + HEADER], "big")
            end = at + 1 + length
            if length < HEADER - 1:
                self.broken = True
                return at, None
            if kind in limits:
                return self._meaningful(data, at, end)
            if end > size:
                self._left = end - size
                return size, None
            at = end
            if at < size and data[at] in limits:
                break  # so that the run ends before the frame
        return at, None

    def _meaningful(self, data: bytes, at: int, end: int) -> tuple[int, Frame | None]:
        size, limit = len(data), self._limits[data[at]]
        body = at + HEADER
        if end <= size:
            return end, Frame(data[at], data[body : min(end, body + limit)], data[at:end])
        if end - body <= limit:
            self._needed = end - at
            return at, None
        self._kind, self._head = data[at], bytearray(data[body : body + limit])
        self._left = end - size
        return size, None

    def _long(self, data: bytes, at: int) -> tuple[int, Frame | None]:
        """Goes on with a message that did not fit into what came before."""
        end = min(at + self._left, len(data))
        self._left -= end - at
        if self._head is None:
            return end, None
        room = self._limits[self._kind] - len(self._head)
        self._head += data[at : min(end, at + room)]
        if self._left:
            return end, None
        frame = Frame(self._kind, bytes(self._head), data[at:end])
        self._head = None
        return end, frame
