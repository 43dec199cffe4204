"""The templates of a subject: a database with everything in it that a run starts from.

Counterpart: `world` asks for one for the main database and one for each beside it; every run gets
copies. In order: what scripts of the server's image have left, extensions, tables, rows.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from killpoint.cli.errors import UserError
from killpoint.faults.environment import DatabaseServer, QueryFailed

EXTENSION: Final = 'create extension if not exists "{}" cascade'

Migrate = Callable[[tuple[str, ...], str], Awaitable[None]]
"""Runs a program of the user's on a database of that name."""


@dataclass(frozen=True, slots=True)
class Origin:
    """How a database comes to be. `seeds` are scripts with the names of their files.

    `by_target`: the target makes the tables of all databases when it starts.
    """

    schema: str | None = None
    migrate: tuple[str, ...] | None = None
    extensions: tuple[str, ...] = ()
    seeds: tuple[tuple[str, str], ...] = ()
    by_target: bool = False


async def make_template(
    server: DatabaseServer,
    template: str,
    origin: Origin,
    *,
    table: str,
    name: str | None = None,
    migrate: Migrate,
) -> None:
    """Make it. `table` is the user's, for messages; `name` is what a target has built in.

    Raises UserError for what Postgres refuses, EnvironmentFailed, and what `migrate` raises.
    """
    if name is not None and await server.exists(name):
        # As scripts of the server's image have filled it; its name is wanted for the runs.
        await server.create(template, name)
        await server.drop(name)
    else:
        await server.create(template)
    for extension in origin.extensions:
        await _extend(server, template, extension, table)
    if origin.schema is not None:
        await _script(server, template, origin.schema, f"{table} schema")
    if origin.migrate is not None:
        await migrate(origin.migrate, template)


async def seed(server: DatabaseServer, template: str, origin: Origin, table: str) -> None:
    """Put the rows in that are there before any event; the tables must be there."""
    for file, script in origin.seeds:
        await _script(server, template, script, f"{table} seed: {file}")


async def _extend(server: DatabaseServer, template: str, extension: str, table: str) -> None:
    try:
        await server.execute(template, EXTENSION.format(extension.replace('"', '""')))
    except QueryFailed as error:
        raise UserError(
            f'{table} extensions: Postgres has no "{extension}"',
            str(error),
            "name an image that has it, [stack] postgres_image, and run with --stack docker; the "
            "embedded Postgres has plpgsql and vector",
        ) from error


async def _script(server: DatabaseServer, template: str, script: str, what: str) -> None:
    try:
        await server.execute(template, script)
    except QueryFailed as error:
        raise UserError(f"{what} failed in Postgres", str(error), "mend the script") from error
