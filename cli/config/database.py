"""`[database]`: how the target's database gets its tables, and where it keeps positions."""

from typing import Self

from pydantic import Field, model_validator

from killpoint.cli.config.table import Table, Text
from killpoint.cli.config.target import Command


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
