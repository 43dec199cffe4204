"""The target as a tree of real processes."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from killpoint.compose.process_target import ProcessTarget
from killpoint.compose.process_tree import LinuxProcesses
from killpoint.compose.supervised import SupervisorDied
from killpoint.faults.environment import Address
from killpoint.faults.target import Exit, Target, TargetError

LIMIT_SECONDS = 20.0
PROCESSES = LinuxProcesses()

# Tells its name to the server at the port given and then waits for signals.
CLIENT = """
import os, signal, socket, sys
if "deaf" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if "polite" in sys.argv:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
if "family" in sys.argv:
    os.fork()
server = socket.create_connection((sys.argv[1], int(sys.argv[2])))
server.sendall(b"here\\n")
print("output of", sys.argv[0], flush=True)
while True:
    signal.pause()
"""


class Server:
    """Listens on loopback and counts the clients that said they run."""

    def __init__(self) -> None:
        self._said: asyncio.Queue[bytes] = asyncio.Queue()
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None
        self.port = 0

    async def open(self, host: str) -> None:
        self._server = await asyncio.start_server(self._serve, host, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        await self._said.put(await reader.readline())

    async def client(self) -> None:
        said = await asyncio.wait_for(self._said.get(), LIMIT_SECONDS)
        assert said == b"here\n"

    async def close(self) -> None:
        assert self._server is not None
        for writer in self._writers:
            writer.close()
        self._server.close()
        await self._server.wait_closed()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    started = Server()
    await started.open("127.0.0.1")
    yield started
    await started.close()


@pytest.fixture
async def target(tmp_path: Path) -> AsyncIterator[ProcessTarget]:
    made = ProcessTarget(tmp_path, tmp_path / "log")
    yield made
    await made.close()


def client(server: Server, *how: str, host: str = "127.0.0.1") -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", CLIENT, host, str(server.port), *how)


def accepts(target: Target) -> Target:
    """Only for the type checker: a ProcessTarget is a Target."""
    return target


async def test_it_is_a_target_that_is_not_started(target: ProcessTarget) -> None:
    assert accepts(target).pid is None
    with pytest.raises(TargetError, match="not been started"):
        await target.exited()
    with pytest.raises(TargetError, match="not been started"):
        await target.freeze()
    await target.kill()
    assert await target.sockets() == []


async def test_incarnations_with_logs_of_their_own(target: ProcessTarget, tmp_path: Path) -> None:
    for name in ("first", "second"):
        target.log_to(tmp_path / name)
        await target.start(("/bin/sh", "-c", "pwd; echo $NAME"), {"NAME": name})
        assert await target.exited() == Exit(0)
        assert (tmp_path / name).read_text() == f"{tmp_path}\n{name}\n"


async def test_freeze_kill_and_start_again(target: ProcessTarget, server: Server) -> None:
    await target.start(client(server, "family"), {})
    await server.client()
    await server.client()
    first = target.pid
    assert first is not None
    await target.freeze()
    seen = PROCESSES.look(first)
    assert seen is not None and seen.state == "T"
    await target.kill()
    assert await target.exited() == Exit(None, signal.SIGKILL)
    assert PROCESSES.look(first) is None
    await target.start(client(server), {})
    await server.client()
    assert target.pid not in (None, first)


async def test_a_start_ends_what_the_previous_incarnation_left(
    target: ProcessTarget, server: Server
) -> None:
    program = client(server)
    leave = ("/bin/sh", "-c", '"$@" & echo $! > left; exit 1', "sh", *program)
    await target.start(leave, {})
    await server.client()
    assert await target.exited() == Exit(1)
    assert await target.sockets() == [Address("127.0.0.1", server.port)]
    await target.start(("/bin/sleep", "60"), {})
    assert await target.sockets() == []


async def test_terminate_in_time(target: ProcessTarget, server: Server) -> None:
    await target.start(client(server, "polite"), {})
    await server.client()
    assert await target.terminate(LIMIT_SECONDS) == Exit(3)


async def test_terminate_a_frozen_one(target: ProcessTarget, server: Server) -> None:
    await target.start(client(server, "polite"), {})
    await server.client()
    await target.freeze()
    assert await target.terminate(LIMIT_SECONDS) == Exit(3)


async def test_terminate_one_that_ignores_it(target: ProcessTarget, server: Server) -> None:
    await target.start(client(server, "deaf", "family"), {})
    await server.client()
    await server.client()
    assert await target.terminate(0.05) == Exit(None, signal.SIGKILL)
    assert await target.sockets() == []


async def test_terminate_one_that_has_ended(target: ProcessTarget) -> None:
    await target.start(("/bin/false",), {})
    assert await target.exited() == Exit(1)
    assert await target.terminate(0.05) == Exit(1)


async def test_a_command_that_cannot_start(target: ProcessTarget) -> None:
    with pytest.raises(TargetError, match=r"could not start `\./nothing`"):
        await target.start(("./nothing",), {})
    assert target.pid is None
    await target.start(("/bin/true",), {})
    assert await target.exited() == Exit(0)


async def test_a_new_supervisor_after_the_old_one_died(target: ProcessTarget) -> None:
    await target.start(("/bin/sleep", "60"), {})
    assert target.pid is not None
    seen = PROCESSES.look(target.pid)
    assert seen is not None
    os.kill(seen.parent, signal.SIGKILL)
    with pytest.raises(SupervisorDied):
        await asyncio.wait_for(target.exited(), LIMIT_SECONDS)
    ended = PROCESSES.look(target.pid)
    assert ended is None or ended.dead  # init reaps it, in its own time
    await target.start(("/bin/true",), {})
    assert await target.exited() == Exit(0)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
async def test_sockets_over_both_protocols(target: ProcessTarget, host: str) -> None:
    server = Server()
    listens = host.removeprefix("::ffff:")
    await server.open(listens)
    try:
        await target.start(client(server, "family", host=host), {})
        await server.client()
        await server.client()
        assert await target.sockets() == [Address(listens, server.port)]
        await target.kill()
    finally:
        await server.close()
