"""The stack that all system tests share, as its fixture in `tests/system/conftest.py` gives it."""

from dataclasses import dataclass

from killpoint.compose.embedded import EmbeddedEnvironment
from killpoint.compose.kafka_control import KafkaControl
from killpoint.compose.postgres_control import PostgresControl
from killpoint.faults.environment import Address, Upstream


@dataclass(frozen=True, slots=True)
class Lane:
    """`proxy` is the address that the broker advertises for this lane: listen there to proxy it.

    The port is reserved, not listened on; asyncio.start_server can take it as it is.
    """

    proxy: Address
    upstream: Upstream


@dataclass(frozen=True, slots=True)
class Stack:
    """A Kafka and a Postgres. Use topics, groups and databases of a name of your own."""

    environment: EmbeddedEnvironment
    lanes: tuple[Lane, ...]

    @property
    def broker(self) -> KafkaControl:
        return self.environment.broker

    @property
    def database(self) -> PostgresControl:
        return self.environment.database
