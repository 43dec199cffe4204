"""`[moments]`: which moments exist."""

from typing import Literal

from pydantic import Field

from killpoint.cli.config.table import Table, Text


class MomentsTable(Table):
    """`start` is the key `from`: where in each start the moments of edge postgres begin."""

    start: Literal["first record", "start"] = Field(
        default="first record",
        alias="from",
        description="where in a start the moments of postgres begin",
    )
    ignore_tables: tuple[Text, ...] = Field(
        default=("flyway_schema_history", "shedlock"),
        description="tables whose writes are no moments",
    )
