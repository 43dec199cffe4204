"""Postgres's files in the cache: an initialised data folder and the password of its superuser.

Counterparts: `postgres_binaries` has the programs, `postgres_server` copies the folder for a run.
initdb works in a folder of the run, since its user may not reach the cache.
"""

import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from killpoint.compose.cache import cache_folder, fingerprint, made
from killpoint.compose.postgres_binaries import PostgresBinaries, find_postgres
from killpoint.compose.server_process import Program, run
from killpoint.compose.server_user import own_tree, server_user
from killpoint.compose.supervised import Supervisor

Report = Callable[[str], None]

SUPERUSER: Final = "postgres"
_LIMIT: Final = 600.0
_DATA: Final = "data"
_PASSWORD: Final = "password"
# Alike on every machine: no locale of the system, no time zone of the machine. Passwords are asked
# for by every door, so that other users of the machine cannot get in. Small WAL files copy faster.
_INITDB: Final = (
    f"--username={SUPERUSER}",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--auth=scram-sha-256",
    "--wal-segsize=1",
    "--no-sync",
    "--no-instructions",
    "--set=timezone=UTC",
    "--set=log_timezone=UTC",
    "--set=dynamic_shared_memory_type=mmap",
)


@dataclass(frozen=True, slots=True)
class PostgresFiles:
    """What a server is started from."""

    binaries: PostgresBinaries
    folder: Path

    @property
    def data(self) -> Path:
        """The initialised data folder; its owner is killpoint's user."""
        return self.folder / _DATA

    @property
    def password(self) -> str:
        """The superuser's."""
        return (self.folder / _PASSWORD).read_text(encoding="ascii").strip()


def postgres_files() -> PostgresFiles:
    """Where the files are, whether made yet or not. Raises as `find_postgres`."""
    binaries = find_postgres()
    key = fingerprint(binaries.wheel, *_INITDB)
    name = f"postgres-{binaries.major}-{key}"
    return PostgresFiles(binaries, cache_folder() / name)


async def prepare_postgres(
    supervisor: Supervisor, report: Report, workspace: Path
) -> PostgresFiles:
    """Postgres's files, made where the cache lacks them. Raises EnvironmentFailed.

    `workspace` is an empty folder that every user can enter.
    """
    files = postgres_files()

    async def initialise(folder: Path) -> None:
        report("initialising Postgres's folder (once, about 2 s)")
        await _initialise(supervisor, files.binaries, workspace, folder)

    await made(files.folder, initialise)
    return files


async def _initialise(
    supervisor: Supervisor, binaries: PostgresBinaries, workspace: Path, folder: Path
) -> None:
    user = server_user()
    programs = binaries.usable_by(user, workspace)
    given = workspace / "given"
    given.mkdir()
    password = given / _PASSWORD
    password.touch(mode=0o600)
    password.write_text(secrets.token_urlsafe(24) + "\n", encoding="ascii")
    own_tree(given, user)
    data = given / _DATA
    command = [programs.program("initdb"), *_INITDB, f"--pwfile={password}", f"--pgdata={data}"]
    program = Program("initdb", command, given, workspace / "initdb.log", user)
    await run(supervisor, program, _LIMIT)
    shutil.copytree(data, folder / _DATA)
    shutil.copy(password, folder / _PASSWORD)
