"""`[run]`: what is done, what is required, how long is waited."""

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from killpoint.cli.config.duration import Seconds
from killpoint.cli.config.table import Table

SweptAction = Literal["kill", "terminate"]
Guarantee = Literal["no guarantee", "at most once", "at least once", "effectively once"]


class RunTable(Table):
    """Options of the command line go before these."""

    actions: Annotated[tuple[SweptAction, ...], Field(min_length=1)] = Field(
        default=("kill",),
        description="what is done at the moments of a sweep; with kill, overtake where an offset "
        "may step over work",
    )
    depth: Literal["classes", "states", "moments"] = Field(
        default="classes",
        description="classes: each class of crash states at its first, a middle and its last "
        "occurrence; states: each crash state once; moments: every moment",
    )
    kills: Annotated[StrictInt, Field(ge=1, le=2)] = Field(
        default=1, description="2: kill again during the recovery from each kill"
    )
    dies: Literal["all", "one"] = Field(
        default="all",
        description="of several replicas: all die together, or the one that comes to the moment, "
        "while the others go on and take over what it had; not where answer_at leads a command",
    )
    require: Guarantee | None = Field(
        default=None,
        description="what must be met; absent: exit 0 if conclusive",
        examples=['"effectively once"'],
    )
    stack: Literal["auto", "docker", "embedded"] = Field(
        default="auto",
        description="what runs Kafka and Postgres; auto: containers where Docker has the images, "
        "else processes of this machine",
    )
    lanes: Annotated[StrictInt, Field(ge=1)] | None = Field(
        default=None,
        description="how many scenarios may run at a time, each with a group and a database of "
        "its own; absent: as many as processors and memory allow, fewer where they would meet",
        examples=["4"],
    )
    drain_timeout: Seconds = Field(
        default=30.0,
        description="how long the target may go without progress while work is left",
        examples=['"30s"'],
        json_schema_extra={"default": "30s"},
    )
