"""Control of the run's Postgres: databases, their contents, and what its backends do.

Counterpart: implements `faults.environment.DatabaseServer` over the server of `postgres_server`,
through its Unix socket. One connection to the maintenance database is kept; what is asked of
another database has a connection of its own, so that none keeps it from being copied or dropped.
"""

import asyncio
from collections.abc import AsyncGenerator, Collection, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Final

import psycopg
from psycopg import sql

from killpoint.compose.postgres_image import read_image
from killpoint.faults.environment import BackendState, EnvironmentFailed, Login, QueryFailed
from killpoint.faults.table_image import Image

Connection = psycopg.AsyncConnection[tuple[object, ...]]

_CONTROL_DATABASE: Final = "killpoint_control"
_BACKENDS: Final = """
    select pid,
           coalesce(wait_event = 'ClientRead', false),
           coalesce(wait_event_type = 'Lock', false),
           backend_xid is not null
    from pg_stat_activity where pid = any(%s) order by pid
"""
_WRITING_FUNCTIONS: Final = """
    select distinct lower(proname) from pg_proc
    where provolatile = 'v' and prokind in ('f', 'p', 'w')
      and pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
"""
_ADVANCE: Final = """
    select setval(format('%%I.%%I', schemaname, sequencename)::regclass,
                  coalesce(last_value, start_value) + %s * increment_by)
    from pg_sequences
    where coalesce(last_value, start_value) + %s * increment_by between min_value and max_value
"""

_NUMBERING_TABLES: Final = """
    select distinct lower(relname) from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relkind in ('r', 'p')
      and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      and (attidentity <> '' or pg_get_expr(adbin, adrelid) like '%nextval(%')
"""


class PostgresControl:
    """The control connections to one server, shared by all lanes.

    `login` is killpoint's own and names the maintenance database. Where a target wants that very
    user or database, the login follows.
    """

    def __init__(self, folder: str, login: Login) -> None:
        self._folder = folder
        self._login = login
        self._kept: Connection | None = None
        self._one_at_a_time = asyncio.Lock()

    def login(self, database: str) -> Login:
        """How to reach a database past the proxies, by TCP."""
        return replace(self._login, database=database)

    async def admit(self, user: str, password: str) -> None:
        """Make a superuser of that name who logs in with that password, or give it that one."""
        what = f"make the user {user}"
        known = await self._maintain(what, "select 1 from pg_roles where rolname = %s", user)
        statement = sql.SQL("{} role {} superuser login password {}").format(
            sql.SQL("alter" if known else "create"), sql.Identifier(user), sql.Literal(password)
        )
        await self._maintain(what, statement)
        if user == self._login.user:
            self._login = replace(self._login, password=password)

    async def create(self, database: str, template: str | None = None) -> None:
        """Create a database, as a copy of `template` where one is given."""
        # Copying files is the faster strategy for small databases without fsync (measured: 20-30
        # against 30-40 ms); no database is ever in use while it is copied.
        await self._leave({database, template})
        statement = sql.SQL("create database {} template {} strategy file_copy").format(
            sql.Identifier(database), sql.Identifier(template or "template1")
        )
        await self._maintain(f"create the database {database}", statement)

    async def exists(self, database: str) -> bool:
        """Whether there is a database of that name."""
        query = "select 1 from pg_database where datname = %s"
        return bool(await self._maintain(f"look for the database {database}", query, database))

    async def drop(self, database: str) -> None:
        """Drop a database and end what is still connected to it; a missing one is no error."""
        for transaction in await self.prepared(database):
            async with self._connected(database) as connection:
                rollback = sql.SQL("rollback prepared {}").format(sql.Literal(transaction))
                await connection.execute(rollback)
        await self._leave({database})
        statement = sql.SQL("drop database if exists {} with (force)")
        await self._maintain(
            f"drop the database {database}", statement.format(sql.Identifier(database))
        )

    async def execute(self, database: str, script: str) -> None:
        """Run an SQL script. Raises QueryFailed."""
        async with self._connected(database) as connection:
            with _refusals():
                await connection.execute(script.encode())

    async def query(self, database: str, sql: str) -> tuple[list[str], list[tuple[object, ...]]]:
        """Column names and rows, read only. Raises QueryFailed."""
        async with self._connected(database) as connection:
            await connection.set_read_only(True)
            await connection.set_autocommit(False)
            with _refusals():
                cursor = await connection.execute(sql.encode())
                columns = [column.name for column in cursor.description or ()]
                return columns, await cursor.fetchall() if columns else []

    async def backends(self, pids: Iterable[int]) -> list[BackendState]:
        """The state of those backends that still live."""
        rows = await self._maintain("tell what its backends do", _BACKENDS, list(pids))
        return [
            BackendState(int(str(pid)), bool(client), bool(lock), bool(wrote))
            for pid, client, lock, wrote in rows
        ]

    async def writing_functions(self, database: str) -> frozenset[str]:
        """Names of the user's own functions that may write (volatile), lower case."""
        _, rows = await self.query(database, _WRITING_FUNCTIONS)
        return frozenset(str(name) for (name,) in rows)

    async def numbering_tables(self, database: str) -> frozenset[str]:
        """Tables of the user's with a column that a sequence fills, lower case."""
        _, rows = await self.query(database, _NUMBERING_TABLES)
        return frozenset(str(name) for (name,) in rows)

    async def image(self, database: str, tables: Collection[str] | None, limit_rows: int) -> Image:
        """The named tables, or all, with their rows, at one instant. Raises QueryFailed."""
        async with self._connected(database) as connection:
            with _refusals():
                return await read_image(connection, tables, limit_rows)

    async def advance_sequences(self, database: str, steps: int) -> None:
        """Move every sequence on, as far as it can go by so many steps."""
        async with self._connected(database) as connection:
            with _refusals():
                await connection.execute(_ADVANCE, (steps, steps))

    async def close(self) -> None:
        """Close the control connections."""
        kept, self._kept = self._kept, None
        if kept is not None:
            await kept.close()

    async def prepared(self, database: str) -> list[str]:
        """The transactions that are prepared there and neither committed nor rolled back.

        They keep a database from being dropped.
        """
        what = f"tell the prepared transactions of {database}"
        rows = await self._maintain(
            what, "select gid from pg_prepared_xacts where database = %s", database
        )
        return [str(name) for (name,) in rows]

    async def _leave(self, databases: Collection[str | None]) -> None:
        """Keep another maintenance database where targets get the one that was."""
        if self._login.database not in databases:
            return
        made = sql.SQL("create database {}").format(sql.Identifier(_CONTROL_DATABASE))
        await self._maintain(f"create the database {_CONTROL_DATABASE}", made)
        self._login = replace(self._login, database=_CONTROL_DATABASE)
        await self.close()

    async def _maintain(
        self, what: str, statement: sql.Composed | str, *values: object
    ) -> list[tuple[object, ...]]:
        """Run one statement on the kept connection. Raises EnvironmentFailed."""
        async with self._one_at_a_time:
            try:
                if self._kept is None or self._kept.closed:
                    self._kept = await self._connect(self._login.database)
                query = statement.encode() if isinstance(statement, str) else statement
                cursor = await self._kept.execute(query, values or None)
                return await cursor.fetchall() if cursor.description else []
            except psycopg.Error as error:
                raise EnvironmentFailed(
                    f"Postgres could not {what}: {error}. Run again; if it happens again, "
                    "`killpoint doctor` checks the installation."
                ) from error

    @asynccontextmanager
    async def _connected(self, database: str) -> AsyncGenerator[Connection]:
        with _refusals():
            connection = await self._connect(database)
        try:
            yield connection
        finally:
            await connection.close()

    async def _connect(self, database: str) -> Connection:
        return await psycopg.AsyncConnection.connect(
            host=self._folder,
            port=self._login.port,
            user=self._login.user,
            password=self._login.password,
            dbname=database,
            autocommit=True,
            application_name="killpoint",
        )


@contextmanager
def _refusals() -> Generator[None]:
    """What the database refuses, in its own words."""
    try:
        yield
    except psycopg.Error as error:
        raise QueryFailed(str(error).strip()) from error
