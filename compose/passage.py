"""A passage: carries connections to a server as they are, past the proxies.

Counterpart: `faults.proxy` is the way of the target. Services beside it, such as a migration, speak
to the same servers, but what they say is not the target's and is not looked at.
"""

import asyncio
from contextlib import suppress

from killpoint.faults.environment import Address

_CHUNK = 1 << 16


class Passage:
    """Listens at one address; `upstream` is set before anybody is let through."""

    def __init__(self) -> None:
        self.upstream: Address | None = None
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    async def listen(self, host: str, port: int) -> None:
        """Bind and listen. Raises OSError when the port is taken."""
        self._server = await asyncio.start_server(self._accept, host, port)

    async def close(self) -> None:
        """Stop listening and cut every connection. Idempotent."""
        if self._server is not None:
            self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._carry(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers = [writer]
        try:
            if self.upstream is None:
                return
            there_reader, there_writer = await _connect(self.upstream)
            writers.append(there_writer)
            await asyncio.gather(_pump(reader, there_writer), _pump(there_reader, writer))
        except OSError:
            pass  # who connects sees it by its own connection, which is cut
        finally:
            for one in writers:
                one.transport.abort()


async def _connect(upstream: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if upstream.path is not None:
        return await asyncio.open_unix_connection(upstream.path)
    return await asyncio.open_connection(upstream.host, upstream.port)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until the end of one direction, which is passed on."""
    while data := await reader.read(_CHUNK):
        writer.write(data)
        await writer.drain()
    with suppress(OSError, RuntimeError):
        writer.write_eof()
