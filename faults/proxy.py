"""A proxy: one edge of one target, between its clients and a server.

It reads alongside and forwards the original bytes, piece by piece, as the watch allows. A slow
reader holds its peer back, so memory stays bounded. Counterparts: `pair` carries what one client
and its server say; `client_leg` and `server_leg` hold it while the edges are frozen.
"""

import asyncio
from collections.abc import Callable, Iterator
from itertools import count

from killpoint.faults.environment import Address
from killpoint.faults.pair import Pair
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Machine

_READ_BYTES = 1 << 18
"""What is read at once, at most."""
_ACCEPT_TURNS = 4
"""Turns of the event loop until a connection that waits in the backlog has been taken."""

MachineFactory = Callable[[], Machine]


class Proxy:
    """Listens for the target on one edge. `upstream` and `watch` are set before it connects.

    `address` is the target's word for it, `bound` that of this machine. Of several replicas each
    has a proxy of its own: what comes here is of `replica`, from 1. They share `numbers`, which
    tell the connections of an edge apart.
    """

    def __init__(
        self,
        edge: str,
        machine: MachineFactory,
        replica: int = 0,
        numbers: Iterator[int] | None = None,
    ) -> None:
        self.edge = edge
        self.replica = replica
        self.address: Address | None = None
        self.bound: Address | None = None
        self.upstream: Address | None = None
        self.watch: Watch | None = None
        self.refused = 0
        """Connections whose server could not be reached."""
        self.accepted = 0
        """Connections that came in the present run."""
        self.berths: list[Address] = []
        """Where spares connect to."""
        self._machine = machine
        self._server: asyncio.Server | None = None
        self._numbers = numbers if numbers is not None else count(1)
        self._buffer = memoryview(bytearray(_READ_BYTES))
        self._pairs: dict[Pair, asyncio.Task[None]] = {}

    async def listen(
        self, host: str = "127.0.0.1", port: int = 0, named: str | None = None
    ) -> Address:
        """Bind and listen; returns the address. Raises OSError when the port is taken.

        `named` is what the target calls the host, where that is something else.
        """
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self.accept, host, port)
        self.bound = Address(*self._server.sockets[0].getsockname())
        self.address = Address(named or self.bound.host, self.bound.port)
        return self.address

    def accept(self) -> asyncio.BaseProtocol:
        """The protocol of a connection that has come: it is carried, or ended if none may come."""
        watch, upstream, number = self.watch, self.upstream, next(self._numbers)
        self.accepted += 1
        if watch is None or upstream is None or not watch.admits(self.replica):
            return _Refusal()
        watch.connected(self.edge, number, self.replica)
        pair = Pair(self.edge, number, self._machine(), watch, self._buffer)
        self._pairs[pair] = asyncio.ensure_future(self._carry(pair, upstream))
        return pair.client

    @property
    def addresses(self) -> set[tuple[str, int]]:
        """Every host and port by which targets reach it."""
        ways = (self.address, self.bound, *self.berths)
        return {(way.host, way.port) for way in ways if way is not None}

    async def _carry(self, pair: Pair, upstream: Address) -> None:
        try:
            await pair.carry(upstream)
        finally:
            self.refused += pair.refused
            del self._pairs[pair]

    async def connections_ended(self, limit_seconds: float) -> None:
        """Wait until every connection has come to its own end, at most for the limit.

        A target that has ended may have said things that are still on their way.
        """
        for _ in range(_ACCEPT_TURNS):
            await asyncio.sleep(0)
        if self._pairs:
            await asyncio.wait(self._pairs.values(), timeout=limit_seconds)

    async def close_connections(self) -> None:
        """Drop what is held and close every connection, towards the target and the server."""
        for pair in self._pairs:
            pair.abort()
        if self._pairs:
            await asyncio.wait(self._pairs.values())

    async def close(self) -> None:
        """Stop listening and close every connection."""
        if self._server is not None:
            self._server.close()
        await self.close_connections()
        if self._server is not None:
            await self._server.wait_closed()


class _Refusal(asyncio.Protocol):
    """A connection that comes when none may: it is ended at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.abort()
