"""The Kafka of a run: one KRaft node over a copy of the cached folder, with a listener per lane.

Counterparts: `kafka_files` prepares what it is started from, `kafka_control` speaks to it. It binds
the loopback only, and clients of a lane are told the address of that lane's proxy.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from killpoint.compose.kafka_files import KafkaFiles
from killpoint.compose.kafka_process import BrokerProcess, java_command, start_broker
from killpoint.compose.supervised import Supervisor
from killpoint.faults.environment import Address


async def start_kafka(
    supervisor: Supervisor,
    files: KafkaFiles,
    folder: Path,
    advertised: Sequence[Address],
    settings: Mapping[str, str] | None = None,
) -> BrokerProcess:
    """Start a broker whose files lie in `folder` (made); returns when it serves requests.

    `advertised` has one address a lane, or one a replica; `settings` go before killpoint's own.
    Raises EnvironmentFailed.
    """
    data = folder / "data"
    shutil.copytree(files.data, data)
    options = [f"-XX:AOTCache={files.aot}"] if files.aot else []
    command = java_command(files.java, files.class_path, folder, *options)
    return await start_broker(supervisor, command, data, advertised, settings)
