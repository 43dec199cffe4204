"""Berths: what a spare says waits until it is let in, and then goes the way of all connections."""

import asyncio
from contextlib import suppress

import pytest

from killpoint.faults.berth import Berth
from killpoint.faults.environment import Address
from killpoint.faults.gate import Gate
from killpoint.faults.proxy import Proxy
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Machine, Piece

LIMIT_SECONDS = 30.0


class Plain:
    """A protocol without meaning."""

    def to_server(self, data: bytes) -> list[Piece]:
        return [Piece(data)] if data else []

    def to_client(self, data: bytes) -> list[Piece]:
        return self.to_server(data)


def plain() -> Machine:
    return Plain()


async def no_groups(group: str) -> None:
    """Nothing to prepare."""


class Echo:
    """A server that answers with what it is told, and counts who came."""

    def __init__(self) -> None:
        self.came = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.came += 1
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
        except ConnectionError:
            pass
        writer.close()


async def test_what_a_spare_says_waits_until_it_is_let_in() -> None:
    echo = Echo()
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    proxy = Proxy("postgres", plain)
    proxy.upstream = Address(*server.sockets[0].getsockname())
    proxy.watch = Watch(Gate(), no_groups)
    proxy.watch.started()
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            own = await proxy.listen()
            berth = Berth(proxy)
            address = await berth.listen()
            reader, writer = await asyncio.open_connection(address.host, address.port)
            writer.write(b"early\n")
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await reader.readline()
            assert (echo.came, proxy.accepted) == (0, 0)

            # The first target dies: its connections go, the spare's stays.
            await proxy.close_connections()
            berth.open()
            assert await reader.readline() == b"early\n"
            later, second = await asyncio.open_connection(address.host, address.port)
            second.write(b"later\n")
            assert await later.readline() == b"later\n"
            assert (echo.came, proxy.accepted) == (2, 2)
            assert proxy.addresses == {(own.host, own.port), (address.host, address.port)}

            await proxy.close_connections()
            assert await reader.read() == await later.read() == b""
            await berth.close()
            assert proxy.addresses == {(own.host, own.port)}
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection(address.host, address.port)
            for one in (writer, second):
                one.close()
                await one.wait_closed()
    finally:
        await proxy.close()
        server.close()


async def test_a_spare_that_was_not_needed_is_cut_off() -> None:
    proxy = Proxy("postgres", plain)
    await proxy.listen()
    berth = Berth(proxy)
    address = await berth.listen()
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(b"early\n")
    await berth.close()
    async with asyncio.timeout(LIMIT_SECONDS):
        with suppress(ConnectionResetError):  # what it had said was not read: a cut, too
            assert await reader.read() == b""
    assert proxy.accepted == 0
    await proxy.close()
    writer.close()
