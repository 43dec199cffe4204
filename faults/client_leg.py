"""The leg towards the client: what the client says goes to the server, piece by piece.

Counterpart: `server_leg`. While something has to wait (for the connection to the server, for a
thaw, for the offsets of a group), what has come is kept and no more is read.
"""

from collections import deque
from collections.abc import Coroutine
from typing import Any

from killpoint.faults.leg import Bond, Leg
from killpoint.faults.wire.piece import Piece


class ClientLeg(Leg):
    """Forwards a piece when the edges are open; it is seen only once it could be forwarded."""

    def __init__(self, bond: Bond) -> None:
        super().__init__(bond)
        self._unread: deque[bytes] = deque()
        """What has come and was not shown to the machine; `b""` is its end."""
        self._pieces: deque[Piece] = deque()
        """What the machine has made of the rest, and was not forwarded."""
        self._seen = False
        """Whether the first of the pieces has been seen already, and was held."""
        self._finished = False

    def received(self, data: bytes) -> None:
        """Forward it, or keep it for later."""
        self._unread.append(data)
        if self.other.connected and not self.waits:
            self.go_on()

    def go_on(self) -> None:
        """Forward until something has to wait; what stands before it is written first."""
        together: list[bytes] = []
        wait = self._advance(together)
        self.other.write(together)
        if wait is not None:
            self.wait(wait)
        elif self._finished:
            self.other.write_eof()

    @property
    def sated(self) -> bool:
        """What has to wait comes first."""
        return self.waits or not self.other.connected

    def _advance(self, together: list[bytes]) -> Coroutine[Any, Any, None] | None:
        """Gather what may be forwarded; returns what is to be waited for before the rest."""
        watch, at = self._bond.watch, self._bond.at
        while self._pieces or self._unread:
            if watch.holds(at):
                return watch.thawed(at)
            if not self._pieces:
                self._read(self._unread.popleft())
                continue
            piece = self._pieces[0]
            if piece.events and watch.unprepared(piece):
                return watch.prepare_groups(piece)
            if not self._seen and not self._bond.see(piece):
                self._seen = True
                return watch.thawed(at)
            self._forward(self._pieces.popleft(), together)
        return None

    def _read(self, data: bytes) -> None:
        self._finished = not data
        self._pieces.extend(self._bond.machine.to_server(data))

    def _forward(self, piece: Piece, together: list[bytes]) -> None:
        self._seen = False
        if piece.reply:
            self.write([piece.reply])
        self._bond.watch.forwarding(self._bond.edge, self._bond.number, piece)
        together.append(piece.data)
