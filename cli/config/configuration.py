"""The whole file as one model."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from killpoint.cli.config.check import CheckTable
from killpoint.cli.config.database import DatabaseTable, OriginTable
from killpoint.cli.config.hooks import HooksTable
from killpoint.cli.config.moments import MomentsTable
from killpoint.cli.config.run import RunTable
from killpoint.cli.config.scenario import ScenarioTable
from killpoint.cli.config.source import SourceTable
from killpoint.cli.config.stack import StackTable
from killpoint.cli.config.table import Table
from killpoint.cli.config.target import TargetTable


def _many(value: Any) -> Any:
    """`[source]` is `[[source]]` with one table."""
    return [value] if isinstance(value, dict) else value


class Configuration(Table):
    """Sources, checks and scenarios may be several; at least one source is required."""

    target: TargetTable = Field(description="the consumer under test")
    source: Annotated[
        tuple[SourceTable, ...],
        Field(min_length=1),
        BeforeValidator(_many, json_schema_input_type=SourceTable | tuple[SourceTable, ...]),
    ] = Field(description="a topic that it reads, with its events; [source] if there is one")
    database: DatabaseTable = Field(
        default_factory=DatabaseTable, description="the database that it writes to"
    )
    databases: dict[str, OriginTable] = Field(
        default_factory=dict[str, OriginTable],
        description="databases beside it, on the same server: {postgres:KEY}",
    )
    check: tuple[CheckTable, ...] = Field(
        default=(),
        description="expected and actual totals; absent: the tables against the clean run",
    )
    moments: MomentsTable = Field(default_factory=MomentsTable, description="which moments exist")
    scenario: tuple[ScenarioTable, ...] = Field(
        default=(), description="faults of your own choice; absent: every moment, one at a time"
    )
    hooks: HooksTable = Field(
        default_factory=HooksTable, description="programs around each scenario"
    )
    run: RunTable = Field(default_factory=RunTable, description="what is done and required")
    stack: StackTable = Field(
        default_factory=StackTable, description="Kafka and Postgres, where they run in containers"
    )
