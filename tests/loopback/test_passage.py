"""A passage carries bytes both ways, passes an end on, and cuts what is open when it closes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import pytest_asyncio

from killpoint.compose.passage import Passage
from killpoint.compose.ports import LOOPBACK, Ports
from killpoint.faults.environment import Address

LIMIT = 10


@pytest.fixture
def heard() -> asyncio.Event:
    """Set as soon as the server has heard something."""
    return asyncio.Event()


@pytest_asyncio.fixture
async def upstream(heard: asyncio.Event) -> AsyncIterator[Address]:
    """A server that says back what it was told, once it has been told all."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.read(1)
        heard.set()
        with suppress(OSError):
            writer.write(b"said: " + first + await reader.read())
        writer.close()

    server = await asyncio.start_server(answer, LOOPBACK, 0)
    async with server:
        yield Address(*server.sockets[0].getsockname())


@pytest_asyncio.fixture
async def passage() -> AsyncIterator[tuple[Passage, int]]:
    made = Passage()
    with Ports(1) as reserved:
        (port,) = reserved.numbers
    await made.listen(LOOPBACK, port)
    yield made, port
    await made.close()


async def test_what_is_said_arrives_and_its_end_too(
    passage: tuple[Passage, int], upstream: Address
) -> None:
    made, port = passage
    made.upstream = upstream
    async with asyncio.timeout(LIMIT):
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
        writer.write(b"hello")
        writer.write_eof()
        assert await reader.read() == b"said: hello"
        writer.close()


@pytest.mark.parametrize("where", [None, Address(LOOPBACK, 1)])
async def test_who_cannot_be_led_anywhere_is_cut(
    passage: tuple[Passage, int], where: Address | None
) -> None:
    made, port = passage
    made.upstream = where
    async with asyncio.timeout(LIMIT):
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
        assert await ended(reader)
        writer.close()


async def test_closing_cuts_what_is_open(
    passage: tuple[Passage, int], upstream: Address, heard: asyncio.Event
) -> None:
    made, port = passage
    made.upstream = upstream
    async with asyncio.timeout(LIMIT):
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
        writer.write(b"hello")
        await heard.wait()
        await made.close()
        assert await ended(reader)
        writer.close()


async def ended(reader: asyncio.StreamReader) -> bool:
    """Wait for the end of a connection, orderly or not; nothing may come before it."""
    try:
        return await reader.read() == b""
    except ConnectionResetError:
        return True
