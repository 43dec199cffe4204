"""`[target]`: the consumer under test and how it is started."""

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from killpoint.cli.config.duration import Seconds
from killpoint.cli.config.table import Table, Text

Command = Annotated[tuple[Text, ...], Field(min_length=1)]
"""A program and its arguments, without a shell."""


class TargetTable(Table):
    """Run in the configuration file's folder; `restart` governs exits killpoint did not cause."""

    command: Command = Field(
        description="the consumer: program and arguments, run in this file's folder",
        examples=['["{python}", "counter.py"]'],
    )
    env: dict[str, str] = Field(
        default_factory=dict[str, str],
        description="variables of its environment, placeholders allowed",
        examples=['{ BATCH_SIZE = "3" }'],
    )
    group: Text | None = Field(
        default=None,
        description="its consumer group; absent: learnt on the wire in the first clean run",
        examples=['"click-counter"'],
    )
    restart: Literal["always", "on-failure", "never"] = Field(
        default="always", description="when it is started again after an exit of its own"
    )
    restart_limit: Annotated[StrictInt, Field(ge=0)] = Field(
        default=5, description="more restarts in a row without progress mean stuck"
    )
    stop_grace: Seconds = Field(
        default=10.0,
        description="after SIGTERM (action terminate), until SIGKILL",
        examples=['"10s"'],
        json_schema_extra={"default": "10s"},
    )
    start_timeout: Seconds = Field(
        default=60.0,
        description="from start to join or first fetch",
        examples=['"60s"'],
        json_schema_extra={"default": "60s"},
    )
