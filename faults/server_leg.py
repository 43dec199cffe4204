"""The leg towards the server: what the server says goes to the client, piece by piece.

Counterpart: `client_leg`. While the edges are frozen, answers are still read, so that the machine
sees them; they are parked, and forwarded only if the edges thaw.
"""

import asyncio
from typing import Final

from killpoint.faults.client_leg import ClientLeg
from killpoint.faults.leg import Bond, Leg
from killpoint.faults.wire.piece import Piece

PARKED_BYTES: Final = 1 << 26
"""More answers than this are not kept while frozen; reading stops instead."""


class ServerLeg(Leg):
    """Forwards answers as the watch allows; the end of the server is the end of both legs."""

    def __init__(self, bond: Bond, client: ClientLeg) -> None:
        super().__init__(bond)
        self.other = client
        client.other = self
        self._parked: list[bytes] = []
        self._parked_bytes = 0
        self._finished = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The server is there: what the client has said meanwhile can be forwarded."""
        super().connection_made(transport)
        if not self._dropped:
            self.other.resume()

    def received(self, data: bytes) -> None:
        """Forward it, or park it."""
        together: list[bytes] = []
        for piece in self._bond.machine.to_client(data):
            if self._bond.see(piece) and not self._parked:
                together.append(piece.data)
            else:
                self._park(piece)
        self.other.write(together)
        self._finished = not data
        if self._parked and not self.waits:
            self.wait(self._bond.watch.thawed(self._bond.at))
        elif self._parked:
            self.steer()
        elif self._finished:
            self._close_both()

    def go_on(self) -> None:
        """Forward what is parked, unless the edges are frozen again."""
        if self._bond.watch.holds(self._bond.at):
            self.wait(self._bond.watch.thawed(self._bond.at))
            return
        self.other.write(self._parked)
        self._parked.clear()
        self._parked_bytes = 0
        if self._finished:
            self._close_both()

    @property
    def sated(self) -> bool:
        """Memory is bounded."""
        return self._parked_bytes > PARKED_BYTES

    def _park(self, piece: Piece) -> None:
        self._parked.append(piece.data)
        self._parked_bytes += len(piece.data)

    def _close_both(self) -> None:
        """Nothing that the client still says can reach the server."""
        self.other.close()
        self.abort()
