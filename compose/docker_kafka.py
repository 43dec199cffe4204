"""The Kafka of a run in a container: one KRaft node of the official image, a listener per lane.

Counterparts: `kafka_config` has its settings, which the image's entry point takes from variables,
`kafka_control` speaks to it. Its ports have the same numbers inside and outside, so that what it
advertises for tools and for itself is right in both places.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from killpoint.compose.docker_container import Container
from killpoint.compose.docker_run import DockerRun
from killpoint.compose.docker_server import start_server
from killpoint.compose.docker_servers import ServerWish
from killpoint.compose.kafka_config import BrokerPorts, broker_properties
from killpoint.compose.kafka_process import answered
from killpoint.compose.ports import LOOPBACK, Ports
from killpoint.faults.environment import Address

_DATA: Final = Path("/tmp/killpoint-logs")
_EVERYWHERE: Final = "0.0.0.0"
_JVM: Final = {
    "KAFKA_HEAP_OPTS": "-Xmx256m",
    "KAFKA_JVM_PERFORMANCE_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC "
    "-Djava.net.preferIPv4Stack=true",
}


@dataclass(frozen=True, slots=True)
class KafkaContainer:
    """Where a broker that serves requests is reached."""

    direct: Address
    lanes: tuple[Address, ...]


async def start_kafka_container(
    run: DockerRun, wish: ServerWish, advertised: Sequence[Address]
) -> KafkaContainer:
    """Start a broker; returns when it serves requests. Raises EnvironmentFailed.

    `advertised` is the Kafka proxy's address of each lane.
    """
    with Ports(2 + len(advertised)) as reserved:
        ports = BrokerPorts.of(reserved.numbers)
        token = secrets.token_hex(8)
        properties = broker_properties(_DATA, ports, advertised, token, _EVERYWHERE)
        container = Container(
            image=wish.image,
            labels=run.labels,
            environment={**_JVM, **as_variables(properties), **wish.environment},
            ports=(ports.direct, *ports.lanes),
            memory=wish.memory,
        )
        direct = Address(LOOPBACK, ports.direct)
        await start_server(run, "Kafka", container, answered(direct, token))
    return KafkaContainer(direct, tuple(Address(LOOPBACK, port) for port in ports.lanes))


def as_variables(properties: Mapping[str, str]) -> dict[str, str]:
    """Properties as the image's variables (KIP-975): KAFKA_, capitals, `_` for a dot."""
    return {f"KAFKA_{name.upper().replace('.', '_')}": text for name, text in properties.items()}
