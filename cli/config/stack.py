"""`[stack]`: the images, variables and memory of Kafka and Postgres in containers."""

from typing import Literal

from pydantic import Field

from killpoint.cli.config.size import Bytes
from killpoint.cli.config.table import Table, Text
from killpoint.compose.docker_servers import KAFKA_IMAGE, POSTGRES_IMAGE


class StackTable(Table):
    """Only for the docker stack; the embedded one has servers of its own."""

    kafka_image: Text = Field(
        default=KAFKA_IMAGE,
        description="Kafka: apache/kafka, or one made from it",
        examples=['"registry.acme.net/apache/kafka:4.1.0"'],
    )
    kafka_env: dict[str, str] = Field(
        default_factory=dict[str, str],
        description="variables of its container, over killpoint's own",
        examples=['{ KAFKA_AUTO_CREATE_TOPICS_ENABLE = "false" }'],
    )
    kafka_memory: Bytes | None = Field(
        default=None, description="the limit of its container", examples=['"1g"']
    )
    postgres: Literal["own", "compose"] = Field(
        default="own",
        description="Postgres: killpoint's own, or that of the target's compose file, with its "
        "image, scripts and extensions",
    )
    postgres_image: Text = Field(
        default=POSTGRES_IMAGE,
        description="Postgres: postgres, or one made from it",
        examples=['"postgis/postgis:18-3.6"'],
    )
    postgres_env: dict[str, str] = Field(
        default_factory=dict[str, str],
        description="variables of its container, over killpoint's own",
        examples=['{ POSTGRES_INITDB_ARGS = "--locale=de_DE.UTF-8" }'],
    )
    postgres_memory: Bytes | None = Field(
        default=None, description="the limit of its container", examples=['"512m"']
    )
