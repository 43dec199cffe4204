"""The Postgres of a run in a container of the official image, with its data in memory.

Counterparts: `postgres_server` has its settings, `postgres_control` speaks to it by TCP. Nothing
survives the run; what a commit means to its clients is unchanged.
"""

import secrets
from dataclasses import dataclass
from typing import Final

from killpoint.compose.database_wish import DatabaseWish
from killpoint.compose.docker_container import Container
from killpoint.compose.docker_run import DockerRun
from killpoint.compose.docker_server import start_server
from killpoint.compose.docker_servers import ServerWish
from killpoint.compose.ports import LOOPBACK, Ports
from killpoint.compose.postgres_files import SUPERUSER
from killpoint.compose.postgres_server import MAINTENANCE, SETTINGS, accepts
from killpoint.faults.environment import Address, Login

_FOLDER: Final = "/var/lib/killpoint"
"""Not the image's own, which differs between its versions and is a volume."""


@dataclass(frozen=True, slots=True)
class PostgresContainer:
    """A server that accepts connections: its version, address and login."""

    version: str
    address: Address
    login: Login


async def start_postgres_container(
    run: DockerRun, wish: ServerWish, database: DatabaseWish
) -> PostgresContainer:
    """Start a server; returns when it accepts connections. Raises EnvironmentFailed.

    What scripts of the image fill (/docker-entrypoint-initdb.d) is the database of the account.
    """
    account = database.account
    with Ports(1) as reserved:
        (port,) = reserved.numbers
        wanted = {
            "POSTGRES_USER": account.user or SUPERUSER,
            "POSTGRES_PASSWORD": account.password or secrets.token_urlsafe(24),
            "POSTGRES_DB": account.database or MAINTENANCE,
            "POSTGRES_INITDB_ARGS": "--no-sync",
            "PGDATA": f"{_FOLDER}/data",
            **wish.environment,
        }
        wishes = {**SETTINGS, **database.settings, "listen_addresses": "*"}
        settings = (("-c", f"{name}={value}") for name, value in wishes.items())
        container = Container(
            image=wish.image,
            labels=run.labels,
            environment=wanted,
            command=("postgres", "-p", str(port), *(word for pair in settings for word in pair)),
            ports=(port,),
            in_memory=(_FOLDER,),
            memory=wish.memory,
        )
        login = Login(
            LOOPBACK, port, wanted["POSTGRES_USER"], wanted["POSTGRES_PASSWORD"], MAINTENANCE
        )
        version = await start_server(run, "Postgres", container, accepts(LOOPBACK, login))
    return PostgresContainer(version.split()[0], Address(LOOPBACK, port), login)
