"""`[database]` and `[databases.KEY]`: how the target's databases come to be, and how it logs in."""

import re
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    GetPydanticSchema,
    ValidatorFunctionWrapHandler,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from killpoint.cli.config.table import Table, Text
from killpoint.cli.config.target import Command
from killpoint.faults.environment import Account

_NAME_BYTES: Final = 63


def _own_name(name: str) -> str:
    """Postgres cuts longer names off without a word (NAMEDATALEN); its templates are its own."""
    if len(name.encode()) > _NAME_BYTES:
        raise ValueError(f"is longer than the {_NAME_BYTES} bytes that Postgres takes")
    if name in ("template0", "template1"):
        raise ValueError(f'cannot be "{name}", which Postgres makes every database from')
    return name


DatabaseName = Annotated[Text, AfterValidator(_own_name)]


_OWN_SETTINGS: Final = frozenset(
    {
        "config_file",
        "data_directory",
        "hba_file",
        "ident_file",
        "listen_addresses",
        "port",
        "unix_socket_directories",
    }
)


def _setting(value: Any) -> Any:
    """Postgres takes every value as text; TOML has numbers and truth values, too."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if isinstance(value, int | float) else value


def _settings(given: dict[str, str]) -> dict[str, str]:
    for name in given:
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?", name) is None:
            raise ValueError(f'names "{name}", which is no name of a server setting')
        if name.lower() in _OWN_SETTINGS:
            raise ValueError(f"names {name}, which killpoint sets itself, or it finds no server")
    return given


Setting = Annotated[str, BeforeValidator(_setting, json_schema_input_type=str | int | float | bool)]


TARGET: Final = "target"


def _command_or_target(value: Any, command: ValidatorFunctionWrapHandler) -> Any:
    return value if value == TARGET else command(value)


def _migrate_schema(_: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Not a union, whose errors would be told of each of its members."""
    command = handler.generate_schema(Command)
    either = core_schema.union_schema([command, core_schema.literal_schema([TARGET])])
    return core_schema.no_info_wrap_validator_function(
        _command_or_target, command, json_schema_input_schema=either
    )


Migrate = Annotated[Command | Literal["target"], GetPydanticSchema(_migrate_schema)]
"""A program, or the word for the target itself."""


class OriginTable(Table):
    """At most one of `schema` and `migrate`; with neither, the target makes its own tables."""

    schema_file: Text | None = Field(
        default=None,
        alias="schema",
        description="a file of SQL that makes the tables",
        examples=['"schema.sql"'],
    )
    migrate: Migrate | None = Field(
        default=None,
        description='or a program that does, run with the direct address; or "target": the target '
        "itself, started once without events until it waits for them",
        examples=['["alembic", "upgrade", "head"]'],
    )
    name: DatabaseName | None = Field(
        default=None,
        description="its name, where the target cannot be told one: every scenario's database is "
        "made anew under it, on servers of its own for each lane; absent: new names",
        examples=['"orders"'],
    )
    extensions: tuple[Text, ...] = Field(
        default=(),
        description="made before the tables, with those that they need",
        examples=['["pgcrypto", "citext"]'],
    )
    seed: tuple[Text, ...] = Field(
        default=(),
        description="files of SQL that fill tables before any event, in order",
        examples=['["reference-rows.sql"]'],
    )

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if self.schema_file is not None and self.migrate is not None:
            raise ValueError("has schema and migrate, but the tables come from one of them")
        return self


class DatabaseTable(OriginTable):
    """The main database, with what holds for the server and so for all databases."""

    user: DatabaseName | None = Field(
        default=None,
        description="the role that the target logs in as, a superuser as the official image's; "
        "absent: killpoint's own",
        examples=['"app"'],
    )
    password: Text | None = Field(
        default=None,
        description="its password; absent: a random one",
        examples=['"secret"'],
    )
    settings: Annotated[dict[str, Setting], AfterValidator(_settings)] = Field(
        default_factory=dict[str, str],
        description="settings of the server, over killpoint's own",
        examples=['{ wal_level = "logical", max_prepared_transactions = 0 }'],
    )
    position: Text | None = Field(
        default=None,
        description="query of topic, partition, next offset, where offsets are in the database",
        examples=['"select topic, part, next_offset from consumer_offsets"'],
    )

    @property
    def account(self) -> Account:
        """What the target has built in."""
        return Account(self.name, self.user, self.password)
