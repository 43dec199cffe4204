"""What a user may wish of the servers in containers: images, variables, limits of memory.

Counterparts: `[stack]` of the configuration gives them, `docker_environment` starts them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.kafka_jars import KAFKA_VERSION

KAFKA_IMAGE: Final = f"apache/kafka:{KAFKA_VERSION}"
POSTGRES_IMAGE: Final = "postgres:18"


@dataclass(frozen=True, slots=True)
class ServerWish:
    """One server: `environment` goes over killpoint's own variables, `memory` is in bytes."""

    image: str
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class ServerWishes:
    """Both servers, by default the official images; `composed`: Postgres is that of its file."""

    kafka: ServerWish = ServerWish(KAFKA_IMAGE)
    postgres: ServerWish = ServerWish(POSTGRES_IMAGE)
    composed: ComposeWish | None = None

    @property
    def images(self) -> dict[str, str]:
        """The images by the keys that name them in the configuration."""
        images = {"[stack] kafka_image": self.kafka.image}
        if self.composed is None:
            images["[stack] postgres_image"] = self.postgres.image
        return images

    @property
    def postgres_words(self) -> str:
        """What Postgres is made of."""
        made = self.composed
        return self.postgres.image if made is None else f"the Postgres of {made.file.name}"
