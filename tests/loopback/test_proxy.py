"""The invariant of the proxies: numbered data survives while the edges freeze and thaw."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from killpoint.faults.environment import Address
from killpoint.faults.events import Event, GroupNamed, WriteAnswered, WriteAsked
from killpoint.faults.gate import Gate, GateRules
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.proxy import Proxy
from killpoint.faults.scenario import Fault
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Piece

NUMBERS = 20_000
LIMIT_SECONDS = 30.0


class LineMachine:
    """A protocol of lines: "write …" is a write, "group …" names a group, others mean nothing."""

    def __init__(self) -> None:
        self._kept = {True: b"", False: b""}

    def to_server(self, data: bytes) -> list[Piece]:
        return self._cut(data, True)

    def to_client(self, data: bytes) -> list[Piece]:
        return self._cut(data, False)

    def _cut(self, data: bytes, asked: bool) -> list[Piece]:
        lines = (self._kept[asked] + data).splitlines(keepends=True)
        whole = [line for line in lines if line.endswith(b"\n")]
        self._kept[asked] = lines[-1] if lines and not lines[-1].endswith(b"\n") else b""
        return [_piece(line, asked) for line in whole]


def _piece(line: bytes, asked: bool) -> Piece:
    if line.startswith(b"write "):
        number = int(line.split()[1])
        event: Event = (
            WriteAsked(number, number, frozenset()) if asked else WriteAnswered(number, number, 1)
        )
        exchange = (number,)
        return Piece(
            line, (event,), opens=exchange if asked else (), closes=() if asked else exchange
        )
    if line.startswith(b"group "):
        return Piece(line, (GroupNamed(line.split()[1].decode()),))
    return Piece(line)


async def no_groups(group: str) -> None:
    """Nothing to prepare."""


Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A server that answers with what it is told."""
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
    writer.close()


@asynccontextmanager
async def proxied(watch: Watch, handler: Handler = echo) -> AsyncGenerator[Address, None]:
    """A proxy in front of a server; gives the proxy's address."""
    server = await asyncio.start_server(handler, "127.0.0.1", 0)
    proxy = Proxy("postgres", LineMachine)
    proxy.watch = watch
    host, port = server.sockets[0].getsockname()
    proxy.upstream = Address(host, port)
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            yield await proxy.listen()
    finally:
        await proxy.close()
        server.close()


def watch_for(*moments: str) -> Watch:
    """A watch that has started, looking for moments of the kind of edge that lines speak."""
    faults = [Fault(parse_moment(moment), "kill") for moment in moments]
    watch = Watch(Gate(faults, GateRules(from_start=True)), no_groups)
    watch.started()
    return watch


async def connect(address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(address.host, address.port)


async def send_numbers(writer: asyncio.StreamWriter, first: int, count: int) -> None:
    for number in range(first, first + count):
        writer.write(b"n %d\n" % number)
        if number % 500 == 0:
            await writer.drain()
    await writer.drain()


async def read_numbers(reader: asyncio.StreamReader, count: int) -> list[int]:
    return [int((await reader.readline()).split()[1]) for _ in range(count)]


@pytest.mark.parametrize("connections", [1, 3])
async def test_numbered_data_survives_freezing_and_thawing(connections: int) -> None:
    watch = watch_for()
    async with proxied(watch) as address:
        pairs = [await connect(address) for _ in range(connections)]
        reading = [asyncio.ensure_future(read_numbers(reader, NUMBERS)) for reader, _ in pairs]
        sending = [asyncio.ensure_future(send_numbers(writer, 0, NUMBERS)) for _, writer in pairs]
        for pause in itertools.cycle([0.001, 0.003, 0.0]):
            watch.freeze()
            await asyncio.wait(reading, timeout=pause)
            watch.thaw()
            done, _ = await asyncio.wait(reading, timeout=0.002)
            if len(done) == connections:
                break
        await asyncio.gather(*sending)
        assert [await numbers for numbers in reading] == [list(range(NUMBERS))] * connections
        for _, writer in pairs:
            writer.close()


async def test_a_held_request_has_not_reached_the_server() -> None:
    got = bytearray()

    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            got.extend(data)
        writer.close()

    watch = watch_for("postgres.write#2:before")
    async with proxied(watch, server) as address:
        _, writer = await connect(address)
        writer.write(b"write 1\nn 5\nwrite 2\nn 6\n")
        fault = await watch.met()
        assert str(fault.at) == "postgres.write#2:before"
        assert watch.frozen
        await condition(lambda: bytes(got) == b"write 1\nn 5\n")
        watch.thaw()
        await condition(lambda: bytes(got) == b"write 1\nn 5\nwrite 2\nn 6\n")
        writer.close()


async def test_a_held_answer_is_known_to_the_watch_and_not_to_the_client() -> None:
    watch = watch_for("postgres.write#1:after")
    async with proxied(watch) as address:
        reader, writer = await connect(address)
        writer.write(b"write 1\nwrite 2\n")
        await watch.met()
        await condition(lambda: watch.requests_open == 0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await reader.readline()
        watch.thaw()
        assert await reader.readline() == b"write 1\n"
        assert await reader.readline() == b"write 2\n"
        writer.close()


async def test_other_connections_freeze_at_the_same_instant() -> None:
    watch = watch_for("postgres.write#1:before")
    async with proxied(watch) as address:
        _, one = await connect(address)
        reader, two = await connect(address)
        two.write(b"n 1\n")
        assert await reader.readline() == b"n 1\n"
        one.write(b"write 1\n")
        await watch.met()
        two.write(b"n 2\n")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await reader.readline()
        watch.thaw()
        assert await reader.readline() == b"n 2\n"
        one.close()
        two.close()


async def test_what_is_held_is_dropped_when_connections_close() -> None:
    got = bytearray()
    ended = asyncio.Event()

    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 16):
                got.extend(data)
        except ConnectionError:
            pass
        ended.set()
        writer.close()

    watch = watch_for("postgres.write#1:before")
    server_task = await asyncio.start_server(server, "127.0.0.1", 0)
    proxy = Proxy("postgres", LineMachine)
    proxy.watch = watch
    proxy.upstream = Address(*server_task.sockets[0].getsockname())
    _, writer = await connect(await proxy.listen())
    writer.write(b"n 1\nwrite 1\n")
    await watch.met()
    await condition(lambda: bytes(got) == b"n 1\n")
    await proxy.close_connections()
    await asyncio.wait_for(ended.wait(), LIMIT_SECONDS)
    assert bytes(got) == b"n 1\n"
    await proxy.close()
    server_task.close()
    writer.close()


async def test_a_group_is_prepared_before_the_first_request_that_names_it_is_forwarded() -> None:
    prepared: list[str] = []
    go_on = asyncio.Event()

    async def prepare(group: str) -> None:
        prepared.append(group)
        await go_on.wait()

    watch = Watch(Gate(), prepare)
    watch.started()
    async with proxied(watch) as address:
        reader, writer = await connect(address)
        writer.write(b"group g\ngroup g\nn 1\n")
        await condition(lambda: prepared == ["g"])
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await reader.readline()
        go_on.set()
        assert await reader.readline() == b"group g\n"
        assert await reader.readline() == b"group g\n"
        assert prepared == ["g"]
        writer.close()


async def test_a_group_that_cannot_be_prepared_is_a_failure_of_the_run() -> None:
    async def prepare(group: str) -> None:
        raise LookupError(group)

    watch = Watch(Gate(), prepare)
    watch.started()
    async with proxied(watch) as address:
        reader, writer = await connect(address)
        writer.write(b"group g\n")
        assert await reader.read() == b""
        await condition(lambda: isinstance(watch.failure, LookupError))
        writer.close()


async def test_no_connection_is_taken_while_frozen() -> None:
    watch = watch_for()
    watch.freeze()
    async with proxied(watch) as address:
        reader, writer = await connect(address)
        assert await reader.read() == b""
        writer.close()


async def test_the_last_words_of_a_client_that_has_ended_reach_the_server() -> None:
    got = bytearray()

    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            got.extend(data)
        writer.close()

    backend = await asyncio.start_server(server, "127.0.0.1", 0)
    proxy = Proxy("postgres", LineMachine)
    proxy.watch = watch_for()
    proxy.upstream = Address(*backend.sockets[0].getsockname())
    _, writer = await connect(await proxy.listen())
    await send_numbers(writer, 0, 5000)
    writer.close()
    await proxy.connections_ended(LIMIT_SECONDS)
    await proxy.close_connections()
    assert got.endswith(b"n 4999\n")
    await proxy.close()
    backend.close()


async def test_the_end_of_the_server_reaches_the_client() -> None:
    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"n 1\n")
        writer.close()

    async with proxied(watch_for(), server) as address:
        reader, writer = await connect(address)
        assert await reader.read() == b"n 1\n"
        writer.close()


async def condition(holds: Callable[[], bool]) -> None:
    """Wait until something holds, at most LIMIT_SECONDS."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while not holds():  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0.001)
