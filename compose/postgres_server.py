"""The Postgres of a run: a server over a copy of the cached folder.

Counterparts: `postgres_files` prepares what it is started from, `postgres_control` speaks to it. It
listens on a Unix socket in the run's folder, which the proxies connect to, and on the loopback for
tools of the user's. Nothing survives the run, so nothing is flushed to the disk; what a commit
means to its clients is unchanged.
"""

import asyncio
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg

from killpoint.compose.ports import LOOPBACK, Ports
from killpoint.compose.postgres_files import SUPERUSER, PostgresFiles
from killpoint.compose.server_process import Program, spawn, until_ready
from killpoint.compose.server_user import own_tree, server_user
from killpoint.compose.shared_memory import forget_with_its_users
from killpoint.compose.supervised import Process, Supervisor
from killpoint.faults.environment import Address, Login
from killpoint.faults.to_the_end import to_the_end

MAINTENANCE: Final = "postgres"
"""The database that control connections use; targets never get it."""

SETTINGS: Final = {
    "max_connections": "200",
    "max_prepared_transactions": "64",
    "fsync": "off",
    "full_page_writes": "off",
    # A worker that looks at a database keeps it from being copied or dropped for a while.
    "autovacuum": "off",
    "log_checkpoints": "off",
}
_READY_LIMIT: Final = 60.0
_READY_POLL: Final = 0.01


@dataclass(frozen=True, slots=True)
class PostgresProcess:
    """A server that accepts connections: its version, Unix socket, and login by TCP."""

    process: Process
    program: Program
    version: str
    address: Address
    login: Login


async def start_postgres(
    supervisor: Supervisor,
    files: PostgresFiles,
    folder: Path,
    memory: Path | None = None,
    settings: Mapping[str, str] | None = None,
) -> PostgresProcess:
    """Start a server whose files lie in `folder` (made); returns when it accepts connections.

    Its data lies in `memory` if that is given; `settings` go over killpoint's own. Every user must
    be able to enter what is above either. Raises EnvironmentFailed.
    """
    user = server_user()
    # To the end: the folder cannot be removed while something is still written into it.
    data = (memory or folder) / "data"
    await to_the_end(asyncio.to_thread(_lay_out, files, folder, data))
    with Ports(1) as reserved:
        (port,) = reserved.numbers
        command = [
            files.binaries.usable_by(user, folder).program("postgres"),
            *("-D", str(data), "-k", str(folder), "-h", LOOPBACK, "-p", str(port)),
            *(f"--{name}={value}" for name, value in {**SETTINGS, **(settings or {})}.items()),
        ]
        program = Program("Postgres", command, folder, folder / "postgres.log", user)
        process = await spawn(supervisor, program)
        login = Login(LOOPBACK, port, SUPERUSER, files.password, MAINTENANCE)
        socket = Address(LOOPBACK, port, str(folder / f".s.PGSQL.{port}"))
        version = await until_ready(process, program, accepts(str(folder), login), _READY_LIMIT)
    forget_with_its_users(data / "postmaster.pid")
    return PostgresProcess(process, program, version, socket, login)


def _lay_out(files: PostgresFiles, folder: Path, data: Path) -> None:
    folder.mkdir(mode=0o755)
    shutil.copytree(files.data, data)
    data.chmod(0o700)
    for given in (folder, data):
        own_tree(given, server_user())


async def accepts(host: str, login: Login) -> str:
    """Wait until a login is taken; returns the server's version, as in "18.4".

    `host` is a name, an address, or the folder of a Unix socket.
    """
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(
                host=host,
                port=login.port,
                user=login.user,
                password=login.password,
                dbname=login.database,
            )
        except psycopg.OperationalError:
            await asyncio.sleep(_READY_POLL)
        else:
            version = connection.info.parameter_status("server_version")
            await connection.close()
            return version or ""
