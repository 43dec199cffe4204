"""The invariant of the proxies: numbered data survives while the edges freeze and thaw."""

import asyncio
import itertools
from asyncio import StreamWriter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from killpoint.faults.environment import Address
from killpoint.faults.events import Event, GroupNamed, WriteAnswered, WriteAsked
from killpoint.faults.gate import Gate, GateRules
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.proxy import Proxy
from killpoint.faults.scenario import Fault
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Machine, Piece

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


Handler = Callable[[asyncio.StreamReader, StreamWriter], Awaitable[None]]


async def echo(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
    """A server that answers with what it is told."""
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
    writer.close()


@asynccontextmanager
async def proxied(
    watch: Watch, handler: Handler = echo, machine: Callable[[], Machine] = LineMachine
) -> AsyncGenerator[Address, None]:
    """A proxy in front of a server; gives the proxy's address."""
    serving: set[StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
        serving.add(writer)
        with suppress(ConnectionError):
            await handler(reader, writer)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
        serving.remove(writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    proxy = Proxy("postgres", machine)
    proxy.watch = watch
    host, port = server.sockets[0].getsockname()
    proxy.upstream = Address(host, port)
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            yield await proxy.listen()
    finally:
        await proxy.close()
        server.close()
        await condition(lambda: not serving)


def watch_for(*moments: str) -> Watch:
    """A watch that has started, looking for moments of the kind of edge that lines speak."""
    faults = [Fault(parse_moment(moment), "kill") for moment in moments]
    watch = Watch(Gate(faults, GateRules(from_start=True)), no_groups)
    watch.started()
    return watch


async def connect(address: Address) -> tuple[asyncio.StreamReader, StreamWriter]:
    return await asyncio.open_connection(address.host, address.port)


async def send_numbers(writer: StreamWriter, first: int, count: int) -> None:
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

    async def server(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
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

    async def server(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
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

    async def server(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
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
    async def server(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
        writer.write(b"n 1\n")
        writer.close()

    async with proxied(watch_for(), server) as address:
        reader, writer = await connect(address)
        assert await reader.read() == b"n 1\n"
        writer.close()


async def test_what_a_client_says_before_it_shuts_its_side_is_answered() -> None:
    async def server(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
        everything = await reader.read()
        writer.write(b"n %d\n" % len(everything))
        writer.close()

    async with proxied(watch_for(), server) as address:
        reader, writer = await connect(address)
        writer.write(b"n 1\nn 2\n")
        writer.write_eof()
        assert await reader.read() == b"n 8\n"
        writer.close()


async def test_what_a_client_said_before_it_went_is_forwarded_after_a_thaw() -> None:
    got = bytearray()
    ended = asyncio.Event()

    async def server(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            got.extend(data)
        ended.set()
        writer.close()

    watch = watch_for("postgres.write#1:before")
    async with proxied(watch, server) as address:
        _, writer = await connect(address)
        writer.write(b"write 1\nn 5\n")
        await watch.met()
        writer.write(b"n 6\n")
        writer.transport.abort()
        watch.thaw()
        await ended.wait()
    assert bytes(got) == b"write 1\nn 5\nn 6\n"


async def test_answers_that_were_held_come_before_the_end_of_the_server() -> None:
    async def server(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
        writer.write(await reader.readline() + b"n 2\n")
        writer.close()

    watch = watch_for("postgres.write#1:after")
    async with proxied(watch, server) as address:
        reader, writer = await connect(address)
        writer.write(b"write 1\n")
        await watch.met()
        await condition(lambda: watch.requests_open == 0)
        watch.thaw()
        assert await reader.read() == b"write 1\nn 2\n"
        writer.close()


FAR_MORE = 1 << 26
"""Bytes that no buffer of the kernel's or the proxy's takes in when nobody reads them."""


async def taken(writer: StreamWriter) -> int:
    """How much of FAR_MORE can be written until nothing more goes for a while; 0: all of it."""
    line = b"n " + b"1" * 1021 + b"\n"
    for sent in range(0, FAR_MORE, len(line)):
        writer.write(line)
        try:
            async with asyncio.timeout(0.3):
                await writer.drain()
        except TimeoutError:
            return sent
    return 0


@pytest.mark.parametrize("frozen", [False, True])
async def test_a_server_that_does_not_read_holds_its_client_back(frozen: bool) -> None:
    read = asyncio.Event()

    async def server(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
        await read.wait()
        while await reader.read(1 << 20):
            pass
        writer.close()

    watch = watch_for()
    async with proxied(watch, server) as address:
        _, writer = await connect(address)
        writer.write(b"n 0\n")
        await writer.drain()
        if frozen:
            read.set()
            watch.freeze()
        assert held_back(await taken(writer))
        watch.thaw()
        read.set()
        await writer.drain()
        writer.close()


async def test_a_client_that_does_not_read_holds_its_server_back_until_it_does() -> None:
    stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def server(reader: asyncio.StreamReader, writer: StreamWriter) -> None:
        stopped.set_result(await taken(writer))
        await writer.drain()
        writer.close()

    async with proxied(watch_for(), server) as address:
        reader, writer = await connect(address)
        sent = await stopped
        assert held_back(sent)
        read = 0
        while data := await reader.read(1 << 20):
            read += len(data)
        assert read == sent + 1024
        writer.close()


def held_back(sent: int) -> bool:
    """Whether somebody was held back: not everything went, but something did."""
    return 0 < sent < FAR_MORE // 2


async def test_an_error_of_the_machine_is_a_failure_of_the_run() -> None:
    class Broken(LineMachine):
        def to_client(self, data: bytes) -> list[Piece]:
            raise ZeroDivisionError

    watch = watch_for()
    async with proxied(watch, machine=Broken) as address:
        reader, writer = await connect(address)
        writer.write(b"n 1\n")
        assert await reader.read() == b""
        assert isinstance(watch.failure, ZeroDivisionError)
        writer.close()


async def test_a_server_that_is_not_there_is_counted_and_ends_the_client() -> None:
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    proxy = Proxy("postgres", LineMachine)
    proxy.watch = watch_for()
    proxy.upstream = Address(*server.sockets[0].getsockname())
    server.close()
    await server.wait_closed()
    reader, writer = await connect(await proxy.listen())
    assert await reader.read() == b""
    await proxy.connections_ended(LIMIT_SECONDS)
    assert (proxy.accepted, proxy.refused) == (1, 1)
    assert proxy.watch.failure is None
    await proxy.close()
    writer.close()


async def condition(holds: Callable[[], bool]) -> None:
    """Wait until something holds, at most LIMIT_SECONDS."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while not holds():  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0.001)
