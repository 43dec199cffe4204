"""A berth: where a spare connects to on one edge, beside the proxy's own address.

Its connections are accepted and not read, and nothing is opened towards the server, until the
berth is opened: from then on they are the proxy's like others. Counterpart: `spare` has one on each
edge.
"""

import asyncio
from typing import cast

from killpoint.faults.environment import Address
from killpoint.faults.proxy import Proxy


class Berth:
    """One listening socket for one incarnation of the target; `listen`, `open`, `close`."""

    def __init__(self, proxy: Proxy) -> None:
        self.proxy = proxy
        self._server: asyncio.Server | None = None
        self._parked: list[_Parked] = []
        self._is_open = False

    async def listen(self) -> Address:
        """Bind to a port that the system chooses; returns the address."""
        own = self.proxy.address
        assert own is not None, "the proxy does not listen"
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._accept, own.host, 0)
        address = Address(own.host, self._server.sockets[0].getsockname()[1])
        self.proxy.berths.append(address)
        self._address = address
        return address

    def open(self) -> None:
        """Let in what has connected, and what will; the edges must not be frozen."""
        self._is_open = True
        for parked in self._parked:
            parked.hand_over(self.proxy.accept())
        self._parked.clear()

    async def close(self) -> None:
        """Listen no more, and end what was never let in. Idempotent."""
        for parked in self._parked:
            parked.end()
        self._parked.clear()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None
            self.proxy.berths.remove(self._address)

    def _accept(self) -> asyncio.BaseProtocol:
        if self._is_open:
            return self.proxy.accept()
        parked = _Parked()
        self._parked.append(parked)
        return parked


class _Parked(asyncio.Protocol):
    """A connection of a spare: the system keeps what it says, up to the size of its buffers."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._successor: asyncio.BaseProtocol | None = None
        self._ended = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.pause_reading()
        self._go_on()

    def hand_over(self, successor: asyncio.BaseProtocol) -> None:
        """Let another protocol carry the connection from now on."""
        self._successor = successor
        self._go_on()

    def end(self) -> None:
        """Drop the connection."""
        self._ended = True
        self._go_on()

    def _go_on(self) -> None:
        """Do what was asked, once the connection is there."""
        if self._transport is None:
            return
        if self._ended:
            self._transport.abort()
        elif self._successor is not None:
            self._transport.set_protocol(self._successor)
            self._successor.connection_made(self._transport)
