"""The pair: the two connections of one client of a proxy, to it and for it to the server.

Counterpart: `proxy` makes one for each client that it accepts. The legs carry the bytes.
"""

import asyncio

from killpoint.faults.client_leg import ClientLeg
from killpoint.faults.environment import Address
from killpoint.faults.leg import Bond
from killpoint.faults.server_leg import ServerLeg
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Machine


class Pair:
    """Carries both directions until both connections have ended; `closed` is set then.

    `client` is the protocol of the accepted connection.
    """

    def __init__(
        self, edge: str, number: int, machine: Machine, watch: Watch, buffer: memoryview
    ) -> None:
        self.closed = asyncio.Event()
        self.refused = False
        """Whether the server could not be reached."""
        self._watch = watch
        self._bond = Bond(edge, number, buffer, machine, watch, self._leg_gone, self._failed)
        self.client = ClientLeg(self._bond)
        self._server = ServerLeg(self._bond, self.client)

    async def carry(self, upstream: Address) -> None:
        """Connect to the server, then wait until both connections have ended."""
        try:
            await self._connect(upstream)
        except OSError:
            self.refused = self._server.gone = True
            self.client.close()
            self._leg_gone()
        await self.closed.wait()

    def abort(self) -> None:
        """End both connections at once; what was held is dropped."""
        self.client.abort()
        self._server.abort()

    async def _connect(self, upstream: Address) -> None:
        loop = asyncio.get_running_loop()
        if upstream.path is not None:
            await loop.create_unix_connection(lambda: self._server, upstream.path)
        else:
            await loop.create_connection(lambda: self._server, upstream.host, upstream.port)

    def _leg_gone(self) -> None:
        if self.client.gone and self._server.gone:
            self._watch.disconnected(self._bond.edge, self._bond.number)
            self.closed.set()

    def _failed(self, error: Exception) -> None:
        self._watch.failed(error)
        self.abort()
