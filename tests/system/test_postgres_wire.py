"""The Postgres machine between real clients and a real server: what it hears is what happened."""

import asyncio
import importlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
import pytest_asyncio

from killpoint.compose.postgres_files import prepare_postgres
from killpoint.compose.postgres_server import PostgresProcess, start_postgres
from killpoint.compose.supervised import Supervisor
from killpoint.faults.environment import Login
from killpoint.faults.events import BackendReady, BackendStarted, Event
from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.postgres import PostgresMachine
from tests.support.postgres_talk import Listener, words

LIMIT = 20.0
asyncpg: Any = importlib.import_module("asyncpg")  # it has no types
pytestmark = pytest.mark.asyncio(loop_scope="module")


class Recorder:
    """A proxy from TCP to the server's Unix socket that keeps what its machines say."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.login = Login("", 0, "", "", "")
        self.idle = asyncio.Event()  # no connection is open
        self._open = 0
        self.events: list[Event] = []
        self.listeners: list[Listener] = []

    def said(self) -> list[str]:
        """What was said since the last call, without the server's readiness; also forgets it."""
        quiet = (BackendReady, BackendStarted)
        said = [words(event) for event in self.events if not isinstance(event, quiet)]
        self.events.clear()
        return said

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        machine, listener = PostgresMachine(frozenset({"count_click"})), Listener()
        self.listeners.append(listener)
        self._open += 1
        self.idle.clear()
        try:
            server_reader, server_writer = await asyncio.open_unix_connection(self._path)
            await asyncio.gather(
                self._pass(reader, machine.to_server, server_writer, writer, listener),
                self._pass(server_reader, machine.to_client, writer, server_writer, listener),
            )
        except ConnectionError:
            pass  # one side left while the other still spoke
        finally:
            self._open -= 1
            if not self._open:
                self.idle.set()

    async def _pass(
        self,
        source: asyncio.StreamReader,
        read: Callable[[bytes], list[Piece]],
        onward: asyncio.StreamWriter,
        back: asyncio.StreamWriter,
        listener: Listener,
    ) -> None:
        data = b" "
        balance = 0
        while data:
            data = await source.read(65536)
            pieces = read(data)
            listener.hears(pieces)
            for piece in pieces:
                self.events += piece.events
                back.write(piece.reply)
                onward.write(piece.data)
                balance -= len(piece.data) + 8 * len(piece.reply)  # a refused request is 8 bytes
            balance += len(data)
            await onward.drain()
        assert balance == 0
        onward.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(folder: Path) -> AsyncIterator[PostgresProcess]:
    supervisor = await Supervisor.start()
    try:
        files = await prepare_postgres(supervisor, lambda text: None, folder / "workspace")
        yield await start_postgres(supervisor, files, folder / "postgres")
    finally:
        await supervisor.close()


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that the server's user can enter, as it cannot enter pytest's."""
    path = Path(tempfile.mkdtemp(prefix="killpoint-wire-"))
    path.chmod(0o755)
    (path / "workspace").mkdir()
    yield path
    shutil.rmtree(path)


@pytest_asyncio.fixture(loop_scope="module")
async def recorder(server: PostgresProcess) -> AsyncIterator[Recorder]:
    assert server.address.path is not None
    recorder = Recorder(server.address.path)
    listening = await asyncio.start_server(recorder.serve, "127.0.0.1", 0)
    async with listening:
        recorder.login = replace(server.login, port=listening.sockets[0].getsockname()[1])
        connection = await connect(recorder, autocommit=True)
        await connection.execute(
            "drop table if exists clicks;"
            "create table clicks (id int primary key deferrable initially immediate, n int);"
            "create or replace function count_click(i int) returns int language sql as "
            "$$ insert into clicks values (i, 1) returning id $$"
        )
        await connection.close()
        recorder.said()
        yield recorder
        async with asyncio.timeout(LIMIT):
            await recorder.idle.wait()
    assert not any(listener.open for listener in recorder.listeners)


async def connect(
    recorder: Recorder, autocommit: bool = False
) -> psycopg.AsyncConnection[tuple[object, ...]]:
    login = recorder.login
    return await psycopg.AsyncConnection.connect(
        host=login.host,
        port=login.port,
        user=login.user,
        password=login.password,
        dbname=login.database,
        autocommit=autocommit,
    )


async def test_psycopg_transaction_simple_and_extended(recorder: Recorder) -> None:
    async with await connect(recorder) as connection:
        await connection.execute("insert into clicks values (1, 1)")
        await connection.execute("update clicks set n = n + %s", (1,))
        await connection.commit()
        await connection.execute("select * from clicks")
        await connection.rollback()
        await connection.execute(b"insert into clicks values (2, 1)", prepare=True)
    assert recorder.said() == [
        "begin 1",
        "begun 1",
        "write 1 clicks",
        "wrote 1 1",
        "write 1 clicks",
        "wrote 1 1",
        "commit 1",
        "committed 1",
        "begin 2",
        "begun 2",
        "rollback 2",
        "rolled back 2",
        "begin 3",
        "begun 3",
        "write 3 clicks",
        "wrote 3 1",
        "commit 3",
        "committed 3",
    ]


async def test_psycopg_autocommit(recorder: Recorder) -> None:
    async with await connect(recorder, autocommit=True) as connection:
        await connection.execute("insert into clicks values (1, 1)")
        await connection.execute("update clicks set n = n + %s", (1,))
        await connection.execute("select count_click(%s)", (2,))
        await connection.execute("insert into clicks values (3, 1); delete from clicks")
        with pytest.raises(psycopg.errors.DivisionByZero):
            await connection.execute("update clicks set n = 1 / (n - n) where false or 1 / 0 = 1")
    assert recorder.said() == [
        "write 1 clicks",
        "auto-commit 1",
        "wrote 1 1",
        "auto-committed 1",
        "write 2 clicks",
        "auto-commit 2",
        "wrote 2 1",
        "auto-committed 2",
        "write 3 -",
        "auto-commit 3",
        "wrote 3 1",
        "auto-committed 3",
        "write 4 clicks",
        "write 4 clicks",
        "auto-commit 4",
        "wrote 4 1",
        "wrote 4 3",
        "auto-committed 4",
        "write 5 clicks",
        "auto-commit 5",
        "failed 22012 division by zero",
    ]


async def test_psycopg_savepoints(recorder: Recorder) -> None:
    async with await connect(recorder) as connection:
        await connection.execute("insert into clicks values (1, 1)")
        with pytest.raises(psycopg.errors.UniqueViolation):
            async with connection.transaction():
                await connection.execute("insert into clicks values (1, 1)")
        await connection.execute("insert into clicks values (2, 1)")
    said = recorder.said()
    assert said[4:6] == ["write 1 clicks", said[5]]
    assert said[5].startswith("failed 23505 ")
    assert said[6:] == ["write 1 clicks", "wrote 1 1", "commit 1", "committed 1"]


async def test_psycopg_failed_transaction(recorder: Recorder) -> None:
    connection = await connect(recorder)
    await connection.execute("insert into clicks values (1, 1)")
    with pytest.raises(psycopg.errors.UndefinedTable):
        await connection.execute("insert into nowhere values (1, 1)")
    await connection.commit()
    await connection.close()
    said = recorder.said()
    assert said[4] == "write 1 nowhere"
    assert said[5].startswith("failed 42P01 ")
    assert said[6:] == ["rollback 1", "rolled back 1"]


async def test_psycopg_copy(recorder: Recorder) -> None:
    async with await connect(recorder) as connection, connection.cursor() as cursor:
        async with cursor.copy("copy clicks from stdin") as copy:
            for number in range(20_000):
                await copy.write_row((number, 1))
        async with cursor.copy("copy clicks to stdout") as copy:
            assert len([row async for row in copy.rows()]) == 20_000
    assert recorder.said() == [
        "begin 1",
        "begun 1",
        "write 1 clicks",
        "wrote 1 20000",
        "commit 1",
        "committed 1",
    ]


async def test_psycopg_pipeline(recorder: Recorder) -> None:
    async with await connect(recorder) as connection, connection.pipeline():
        await connection.execute("insert into clicks values (%s, 1)", (1,))
        await connection.execute("insert into clicks values (%s, 1)", (2,))
    said = recorder.said()
    assert sorted(said) == sorted(
        ["begin 1", "begun 1", *["write 1 clicks", "wrote 1 1"] * 2, "commit 1", "committed 1"]
    )


async def test_psycopg_autocommit_pipeline(recorder: Recorder) -> None:
    async with await connect(recorder, autocommit=True) as connection, connection.pipeline():
        await connection.execute("insert into clicks values (%s, 1)", (1,))
        await connection.execute("insert into clicks values (%s, 1)", (2,))
    said = recorder.said()
    assert said.count("auto-commit 1") == said.count("auto-committed 1") == 1
    assert said.count("write 1 clicks") == said.count("wrote 1 1") == 2


async def test_psycopg_error_in_a_pipeline(recorder: Recorder) -> None:
    connection = await connect(recorder)
    with pytest.raises(psycopg.errors.UniqueViolation):
        async with connection.pipeline():
            await connection.execute("insert into clicks values (%s, 1)", (1,))
            await connection.execute("insert into clicks values (%s, 1)", (1,))
            await connection.commit()
    await connection.rollback()
    await connection.execute("insert into clicks values (%s, 1)", (1,))
    await connection.commit()
    await connection.close()
    said = recorder.said()
    assert "committed 1" not in said
    assert said.index("rolled back 1") < said.index("begin 2")
    assert said[-2:] == ["commit 2", "committed 2"]


async def test_two_phase_commit(recorder: Recorder) -> None:
    connection = await connect(recorder)
    await connection.tpc_begin("one")
    await connection.execute("insert into clicks values (1, 1)")
    await connection.tpc_prepare()
    await connection.tpc_commit()
    await connection.close()
    assert recorder.said() == [
        "begin 1",
        "begun 1",
        "write 1 clicks",
        "wrote 1 1",
        "write 1 -",
        "wrote 1 None",
        "write 2 -",
        "auto-commit 2",
        "wrote 2 None",
        "auto-committed 2",
    ]


async def test_asyncpg(recorder: Recorder) -> None:
    login = recorder.login
    connection = await asyncpg.connect(
        host=login.host,
        port=login.port,
        user=login.user,
        password=login.password,
        database=login.database,
    )
    await connection.execute("insert into clicks values (1, 1)")
    await connection.execute("update clicks set n = $1", 2)
    async with connection.transaction():
        await connection.executemany("insert into clicks values ($1, 1)", [(2,), (3,)])
        async for _ in connection.cursor("select * from clicks", prefetch=1):
            pass
    await connection.copy_records_to_table("clicks", records=[(4, 1), (5, 1)])
    await connection.close()
    assert recorder.said() == [
        *["write 1 clicks", "auto-commit 1", "wrote 1 1", "auto-committed 1"],
        *["write 2 clicks", "auto-commit 2", "wrote 2 1", "auto-committed 2"],
        *["begin 3", "begun 3"],
        *["write 3 clicks", "write 3 clicks", "wrote 3 1", "wrote 3 1"],
        *["commit 3", "committed 3"],
        *["write 4 clicks", "auto-commit 4", "wrote 4 2", "auto-committed 4"],
    ]


async def test_a_client_that_requires_encryption_is_reported(recorder: Recorder) -> None:
    login = recorder.login
    with pytest.raises(psycopg.OperationalError):
        await psycopg.AsyncConnection.connect(
            host=login.host, port=login.port, user=login.user, sslmode="require"
        )
    async with asyncio.timeout(LIMIT):
        await recorder.idle.wait()
    assert recorder.said() == ["refused TLS"]
