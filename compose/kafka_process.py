"""A broker as a process: its command, its start, and when it is ready.

Counterparts: `kafka_files` starts one to prepare the cache, `kafka_server` one for a run. The
broker logs warnings and errors to its standard error; what it writes aside (native libraries) stays
in its folder.
"""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kio.schema.metadata.v12 import MetadataRequest, MetadataResponse

from killpoint.compose.java import Java
from killpoint.compose.kafka_config import BrokerPorts, broker_properties, properties_text
from killpoint.compose.kafka_rpc import ask
from killpoint.compose.ports import LOOPBACK, Ports
from killpoint.compose.server_process import Program, spawn, until_ready
from killpoint.compose.supervised import Process, Supervisor
from killpoint.faults.environment import Address

_JVM: Final = (
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xmx256m",
    "-XX:-UsePerfData",  # no file in the temporary folder that outlives a SIGKILL
    "-Xlog:disable",
    "-Djava.net.preferIPv4Stack=true",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
)
_READY_LIMIT: Final = 60.0
_READY_POLL: Final = 0.01
_ANSWER_LIMIT: Final = 5.0


@dataclass(frozen=True, slots=True)
class BrokerProcess:
    """A broker that serves requests, and where it listens."""

    process: Process
    program: Program
    direct: Address
    lanes: tuple[Address, ...]


def java_command(java: Java, class_path: str, folder: Path, *options: str) -> list[str]:
    """The start of a command that runs one of Kafka's main classes, working in `folder`."""
    temporary = f"-Djava.io.tmpdir={folder}"
    return [str(java.executable), *_JVM, temporary, *options, "-cp", class_path]


async def start_broker(
    supervisor: Supervisor,
    command: Sequence[str],
    data: Path,
    advertised: Sequence[Address],
    settings: Mapping[str, str] | None = None,
) -> BrokerProcess:
    """Start a broker over the formatted folder `data`; returns when it serves requests.

    `command` is that of `java_command`; configuration and log stand beside `data`; `settings` go
    before killpoint's own. Raises EnvironmentFailed, with the end of the log, if the broker ends or
    is not ready in time.
    """
    with Ports(2 + len(advertised)) as reserved:
        ports = BrokerPorts.of(reserved.numbers)
        token = secrets.token_hex(8)
        properties = broker_properties(data, ports, advertised, token) | dict(settings or {})
        configuration = write_properties(data, properties)
        program = Program(
            "Kafka",
            [*command, "kafka.Kafka", str(configuration)],
            data.parent,
            data.with_name("kafka.log"),
        )
        process = await spawn(supervisor, program)
        direct = Address(LOOPBACK, ports.direct)
        await until_ready(process, program, answered(direct, token), _READY_LIMIT)
    lanes = tuple(Address(LOOPBACK, port) for port in ports.lanes)
    return BrokerProcess(process, program, direct, lanes)


def write_properties(data: Path, properties: dict[str, str]) -> Path:
    """Write a broker's configuration beside its data."""
    path = data.with_name("server.properties")
    path.write_text(properties_text(properties), encoding="utf-8")
    return path


async def answered(broker: Address, token: str) -> None:
    """Wait until the broker that was started, and no other, is registered and answers."""
    request = MetadataRequest(topics=(), include_topic_authorized_operations=False)
    while True:
        try:
            answer = await ask(broker, request, MetadataResponse, limit=_ANSWER_LIMIT)
        except OSError:
            await asyncio.sleep(_READY_POLL)
            continue
        if any(node.rack == token for node in answer.brokers):
            return
        await asyncio.sleep(_READY_POLL)
