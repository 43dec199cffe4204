"""`[database]`: how the target's database gets its tables, and where it keeps positions."""

from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, model_validator

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


class DatabaseTable(Table):
    """At most one of `schema` and `migrate`; with neither, the target makes its own tables."""

    schema_file: Text | None = Field(
        default=None,
        alias="schema",
        description="a file of SQL that makes the tables",
        examples=['"schema.sql"'],
    )
    migrate: Command | None = Field(
        default=None,
        description="or a program that does, run with the direct address",
        examples=['["alembic", "upgrade", "head"]'],
    )
    name: DatabaseName | None = Field(
        default=None,
        description="its name, where the target cannot be told one: every scenario's database is "
        "made anew under it, on one lane; absent: a new name for each",
        examples=['"orders"'],
    )
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
    position: Text | None = Field(
        default=None,
        description="query of topic, partition, next offset, where offsets are in the database",
        examples=['"select topic, part, next_offset from consumer_offsets"'],
    )

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if self.schema_file is not None and self.migrate is not None:
            raise ValueError("has schema and migrate, but the tables come from one of them")
        return self

    @property
    def account(self) -> Account:
        """What the target has built in."""
        return Account(self.name, self.user, self.password)
