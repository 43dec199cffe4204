"""A leg: one of the two connections of a pair, and the way of its bytes to the other one.

Counterpart: `pair` makes the two legs of a client, `client_leg` and `server_leg` are their kinds.
They work in the callbacks of asyncio's transports, so a piece that may pass is forwarded in the
same turn of the event loop in which it came; only what has to wait starts a task.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from killpoint.faults.gate import Connection
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Machine, Piece


@dataclass(frozen=True, slots=True)
class Bond:
    """What the legs of a pair share. `gone` is told that one has ended, `failed` of an error.

    `buffer` is where the system puts what arrives; it is copied out before the next read.
    """

    edge: str
    number: int
    buffer: memoryview
    machine: Machine
    watch: Watch
    gone: Callable[[], None]
    failed: Callable[[Exception], None]

    @property
    def at(self) -> Connection:
        """Which connection of which edge it is."""
        return self.edge, self.number

    def see(self, piece: Piece) -> bool:
        """Show a piece to the watch; whether it may be forwarded now."""
        return self.watch.see(self.edge, self.number, piece)


class Leg(asyncio.BufferedProtocol):
    """One connection; `other` is where its bytes go. The kinds say what is done with them."""

    other: "Leg"

    def __init__(self, bond: Bond) -> None:
        self.gone = False
        """Whether the connection has come to its end, or never came to be."""
        self.full = False
        """Whether its peer has to catch up before more is written."""
        self._bond = bond
        self._transport: asyncio.Transport | None = None
        self._waiting: asyncio.Task[None] | None = None
        self._ended = False
        self._dropped = False

    # ── for the kinds ────────────────────────────────────────────────────────────────────────────

    def received(self, data: bytes) -> None:
        """Take in what the peer says; `b""` once, at its end."""
        raise NotImplementedError

    def go_on(self) -> None:
        """What was waited for has come."""
        raise NotImplementedError

    @property
    def sated(self) -> bool:
        """Whether nothing more is to be read for now."""
        raise NotImplementedError

    def wait(self, until: Coroutine[Any, Any, None]) -> None:
        """Go on after this, unless what waits is dropped meanwhile."""
        self._waiting = asyncio.ensure_future(until)
        self._waiting.add_done_callback(self._waited)
        self.steer()

    @property
    def waits(self) -> bool:
        """Whether something has to come first."""
        return self._waiting is not None

    # ── what the other leg and the pair ask ──────────────────────────────────────────────────────

    @property
    def connected(self) -> bool:
        """Whether the connection has come to be."""
        return self._transport is not None

    def write(self, pieces: list[bytes]) -> None:
        """Write pieces at once: the peer wakes up, and a system call is made, only once."""
        transport = self._transport
        if pieces and transport is not None and not transport.is_closing():
            transport.write(pieces[0] if len(pieces) == 1 else b"".join(pieces))

    def write_eof(self) -> None:
        """Say that nothing more comes; what the peer still says is read."""
        if self._transport is not None and not self._transport.is_closing():
            with contextlib.suppress(OSError):  # the peer is gone
                self._transport.write_eof()

    def steer(self) -> None:
        """Read on or hold the peer back, as what it says can be taken or not."""
        if self._transport is None or self._ended:
            return
        if self.sated or self.other.full:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def resume(self) -> None:
        """Go on, and read on."""
        try:
            self.go_on()
        except Exception as error:
            self._bond.failed(error)
        self.steer()

    def drop(self) -> None:
        """Forget what waits; nothing more is taken in."""
        self._dropped = True
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def close(self) -> None:
        """End the connection once everything is written; nothing more is taken in."""
        self.drop()
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """End the connection at once; nothing more is taken in or written."""
        self.drop()
        if self._transport is not None:
            self._transport.abort()

    # ── what asyncio calls ───────────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if self._dropped:
            transport.abort()
        self.steer()

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where to put what comes: a new buffer for each read would cost more than the read."""
        return self._bond.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """The peer has said something."""
        self._take(bytes(self._bond.buffer[:nbytes]))

    def eof_received(self) -> bool:
        """The peer says no more, and may still listen: the connection stays."""
        self._end()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone; a reset is an end like another."""
        self.gone, self.full = True, False
        self._end()
        self.other.steer()
        self._bond.gone()

    def pause_writing(self) -> None:
        """The peer is slow."""
        self.full = True
        self.other.steer()

    def resume_writing(self) -> None:
        """The peer has caught up."""
        self.full = False
        self.other.steer()

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._take(b"")

    def _take(self, data: bytes) -> None:
        if self._dropped:
            return
        try:
            self.received(data)
        except Exception as error:
            self._bond.failed(error)

    def _waited(self, task: asyncio.Task[None]) -> None:
        if task is not self._waiting or task.cancelled():
            return  # dropped
        self._waiting = None
        if (error := task.exception()) is None:
            self.resume()
        elif isinstance(error, Exception):
            self._bond.failed(error)
