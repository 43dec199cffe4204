"""`[stack]`: topics, and the images, variables and memory of Kafka and Postgres in containers."""

import re
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from killpoint.cli.config.size import Bytes
from killpoint.cli.config.table import Table, Text
from killpoint.compose.docker_servers import KAFKA_IMAGE, POSTGRES_IMAGE

_TOPIC: Final = re.compile(r"([A-Za-z0-9._-]{1,249})(?::([1-9][0-9]{0,3}))?")


def _topic(text: str) -> str:
    found = _TOPIC.fullmatch(text)
    if found is None or found[1] in (".", ".."):
        raise ValueError(f'must be a topic, or one with its partitions, "retry:3", not "{text}"')
    return text


Topic = Annotated[Text, AfterValidator(_topic)]


class StackTable(Table):
    """Images, variables and memory are for containers; the embedded stack has its own servers."""

    topics: tuple[Topic, ...] = Field(
        default=(),
        description="topics beside the sources, with their partitions (1), empty at first: those "
        "that the target writes to, or retries from",
        examples=['["retry:3", "audit"]'],
    )
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

    @property
    def topics_beside(self) -> dict[str, int]:
        """The topics and their numbers of partitions."""
        found = (topic.partition(":") for topic in self.topics)
        return {name: int(count or 1) for name, _, count in found}
