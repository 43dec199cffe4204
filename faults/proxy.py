"""A proxy: one edge of one target, between its clients and a server.

It reads alongside and forwards the original bytes, piece by piece, as the watch allows. A slow
reader holds its peer back (the streams' own back-pressure), so memory stays bounded. While the
edges are frozen: what came from the client is kept and no more is read; answers of the server are
still read, so that the machine sees them, kept, and forwarded only if the edges thaw.
"""

import asyncio
import contextlib
from collections.abc import Callable
from itertools import count

from killpoint.faults.environment import Address
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Machine, Piece

CHUNK_BYTES = 1 << 18
_FLUSH_SECONDS = 0.5
_ACCEPT_TURNS = 3
"""Turns of the event loop until a connection that waits in the backlog has been taken."""
PARKED_BYTES = 1 << 26
"""More answers than this are not kept while frozen; reading stops instead."""

MachineFactory = Callable[[], Machine]


class Proxy:
    """Listens for the target on one edge. `upstream` and `watch` are set before it connects."""

    def __init__(self, edge: str, machine: MachineFactory) -> None:
        self.edge = edge
        self.address: Address | None = None
        self.upstream: Address | None = None
        self.watch: Watch | None = None
        self.refused = 0
        """Connections whose server could not be reached."""
        self.accepted = 0
        self._machine = machine
        self._server: asyncio.Server | None = None
        self._numbers = count(1)
        self._pairs: dict[int, _Pair] = {}

    async def listen(
        self, host: str = "127.0.0.1", port: int = 0, named: str | None = None
    ) -> Address:
        """Bind and listen; returns the address. Raises OSError when the port is taken.

        `named` is what the target calls the host, where that is something else.
        """
        self._server = await asyncio.start_server(self._accept, host, port, limit=CHUNK_BYTES)
        bound = self._server.sockets[0].getsockname()
        self.address = Address(named or bound[0], bound[1])
        return self.address

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        watch, upstream, number = self.watch, self.upstream, next(self._numbers)
        self.accepted += 1
        if watch is None or upstream is None or watch.frozen:
            writer.transport.abort()
            return
        pair = _Pair(self.edge, number, self._machine(), watch, writer)
        self._pairs[number] = pair
        try:
            await pair.carry(reader, writer, upstream)
        except OSError:
            self.refused += 1
        finally:
            self._pairs.pop(number, None)
            watch.disconnected(self.edge, number)

    async def connections_ended(self, limit_seconds: float) -> None:
        """Wait until every connection has come to its own end, at most for the limit.

        A target that has ended may have said things that are still on their way.
        """
        for _ in range(_ACCEPT_TURNS):
            await asyncio.sleep(0)
        ends = [asyncio.ensure_future(pair.closed.wait()) for pair in self._pairs.values()]
        if ends:
            _, open_ones = await asyncio.wait(ends, timeout=limit_seconds)
            for end in open_ones:
                end.cancel()

    async def close_connections(self) -> None:
        """Drop what is held and close every connection, towards the target and the server."""
        pairs = list(self._pairs.values())
        for pair in pairs:
            pair.abort()
        await asyncio.gather(*(pair.closed.wait() for pair in pairs))

    async def close(self) -> None:
        """Stop listening and close every connection."""
        if self._server is not None:
            self._server.close()
        await self.close_connections()
        if self._server is not None:
            await self._server.wait_closed()


async def _connect(upstream: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if upstream.path is not None:
        return await asyncio.open_unix_connection(upstream.path, limit=CHUNK_BYTES)
    return await asyncio.open_connection(upstream.host, upstream.port, limit=CHUNK_BYTES)


class _Pair:
    """The two connections of one client: to it, and for it to the server."""

    def __init__(
        self,
        edge: str,
        number: int,
        machine: Machine,
        watch: Watch,
        client: asyncio.StreamWriter,
    ) -> None:
        self.edge = edge
        self.number = number
        self.closed = asyncio.Event()
        self._machine = machine
        self._watch = watch
        self._aborted = False
        self._writers = [client]
        self._pumps: list[asyncio.Task[None]] = []

    async def carry(
        self,
        client_reader: asyncio.StreamReader,
        client_writer: asyncio.StreamWriter,
        upstream: Address,
    ) -> None:
        """Connect to the server and carry both directions until one side is gone.

        Raises OSError if the server cannot be reached.
        """
        try:
            server_reader, server_writer = await _connect(upstream)
            self._writers.append(server_writer)
            if not self._aborted:
                await self._carry(client_reader, client_writer, server_reader, server_writer)
        finally:
            await asyncio.gather(*map(_close, self._writers))
            self.closed.set()

    async def _carry(
        self,
        client_reader: asyncio.StreamReader,
        client_writer: asyncio.StreamWriter,
        server_reader: asyncio.StreamReader,
        server_writer: asyncio.StreamWriter,
    ) -> None:
        self._pumps = [
            asyncio.ensure_future(self._to_server(client_reader, server_writer, client_writer)),
            asyncio.ensure_future(self._to_client(server_reader, client_writer)),
        ]
        try:
            await asyncio.wait(self._pumps, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for pump in self._pumps:
                pump.cancel()
            for ended in await asyncio.gather(*self._pumps, return_exceptions=True):
                if isinstance(ended, Exception) and not isinstance(ended, OSError):
                    self._watch.failed(ended)

    def abort(self) -> None:
        """End both connections at once; nothing more is forwarded."""
        self._aborted = True
        for pump in self._pumps:
            pump.cancel()
        for writer in self._writers:
            writer.transport.abort()

    async def _to_server(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        back: asyncio.StreamWriter,
    ) -> None:
        while True:
            data = await _read(reader)
            if self._watch.frozen:
                await self._watch.thawed()
            together = _Together(writer)
            for piece in self._machine.to_server(data):
                await self._forward(piece, together, back)
            together.write()
            await _drained(writer)
            if not data:
                break
        with contextlib.suppress(OSError, RuntimeError):
            writer.write_eof()

    async def _forward(
        self, piece: Piece, together: "_Together", back: asyncio.StreamWriter
    ) -> None:
        """Forward a piece when the edges are open; it is seen only once it could be forwarded.

        What stands before a piece that has to wait is written first.
        """
        if self._watch.unprepared(piece):
            together.write()
            await self._watch.prepare_groups(piece)
        if self._watch.frozen:
            together.write()
            await self._watch.thawed()
        if not self._watch.see(self.edge, self.number, piece):
            together.write()
            await self._watch.thawed()
        if piece.reply:
            back.write(piece.reply)
        self._watch.forwarding(self.edge, self.number, piece)
        together.add(piece.data)

    async def _to_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        parked = _Parked()
        while True:
            data = await self._read_answers(reader, writer, parked)
            together = _Together(writer)
            for piece in self._machine.to_client(data):
                if self._watch.see(self.edge, self.number, piece) and not parked.pieces:
                    together.add(piece.data)
                else:
                    parked.add(piece)
            together.write()
            if not parked.pieces:
                await _drained(writer)
            if not data:
                break
        if parked.pieces:
            await self._watch.thawed()
            parked.release(writer)
        for pump in self._pumps[:1]:
            pump.cancel()  # the server is gone: nothing the client says can reach it
        with contextlib.suppress(OSError):
            await writer.drain()
            writer.close()

    async def _read_answers(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, parked: "_Parked"
    ) -> bytes:
        """Read on; while something is parked, give it out as soon as the edges thaw."""
        if not parked.pieces:
            return await _read(reader)
        reading = asyncio.ensure_future(_read(reader)) if not parked.full else None
        thawing = asyncio.ensure_future(self._watch.thawed())
        waiting = {thawing} if reading is None else {thawing, reading}
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if thawing.done():
                parked.release(writer)
            return await reading if reading is not None else await _read(reader)
        finally:
            for task in waiting:
                task.cancel()


class _Together:
    """Pieces that are written at once: a peer wakes up, and a system call is made, only once."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._data: list[bytes] = []

    def add(self, data: bytes) -> None:
        self._data.append(data)

    def write(self) -> None:
        if self._data:
            self._writer.write(self._data[0] if len(self._data) == 1 else b"".join(self._data))
            self._data.clear()


class _Parked:
    """Answers that may not be forwarded yet."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._size = 0

    @property
    def full(self) -> bool:
        return self._size > PARKED_BYTES

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self._size += len(piece.data)

    def release(self, writer: asyncio.StreamWriter) -> None:
        for piece in self.pieces:
            writer.write(piece.data)
        self.pieces.clear()
        self._size = 0


async def _drained(writer: asyncio.StreamWriter) -> None:
    """Wait for a slow reader; what the kernel took at once needs no turn of the loop."""
    if writer.transport.get_write_buffer_size() or writer.transport.is_closing():
        await writer.drain()


async def _close(writer: asyncio.StreamWriter) -> None:
    """Close a connection; one whose peer takes nothing more is cut."""
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(_FLUSH_SECONDS):
            await writer.wait_closed()
    writer.transport.abort()


async def _read(reader: asyncio.StreamReader) -> bytes:
    """Up to a chunk; empty at the end of the stream, also when the peer reset it."""
    try:
        return await reader.read(CHUNK_BYTES)
    except OSError:
        return b""
