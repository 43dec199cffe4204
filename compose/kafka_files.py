"""The broker's files in the cache: jars, a formatted folder, and the start-up cache of Java.

Counterparts: `kafka_jars` fetches the jars, `kafka_server` copies the folder for a run. A key names
all that a folder was made from, so another Java or other settings get a folder of their own.
"""

import shutil
import signal
import sys
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from killpoint.compose.cache import cache_folder, fingerprint, made
from killpoint.compose.java import Java, find_java
from killpoint.compose.kafka_config import (
    BrokerPorts,
    broker_properties,
    settings_text,
)
from killpoint.compose.kafka_jars import KAFKA_VERSION, require_resolver
from killpoint.compose.kafka_process import java_command, start_broker, write_properties
from killpoint.compose.manifest import Manifest, read_manifest
from killpoint.compose.server_process import Program, ended, run
from killpoint.compose.supervised import Supervisor
from killpoint.faults.environment import EnvironmentFailed

Report = Callable[[str], None]

_RESOLVE_LIMIT: Final = 600.0
_STEP_LIMIT: Final = 600.0
_DATA: Final = "data"
_AOT: Final = "broker.aot"
_TERMINATED: Final = 128 + signal.SIGTERM  # how a JVM ends after SIGTERM


@dataclass(frozen=True, slots=True)
class KafkaFiles:
    """What a broker is started from; `aot` is None where Java has no such cache."""

    java: Java
    jars: Path
    manifest: Manifest
    data: Path
    aot: Path | None

    @property
    def class_path(self) -> str:
        """The jars, one by one."""
        return self.manifest.class_path(self.jars)


def kafka_folder() -> Path:
    """The part of the cache that belongs to this version of Kafka."""
    return cache_folder() / f"kafka-{KAFKA_VERSION}"


def jars_folder() -> Path:
    """Where the jars are, laid out as a Maven repository."""
    return kafka_folder() / "jars"


def files_for(java: Java) -> KafkaFiles | None:
    """Where the files for a Java are, whether made or not; None as long as there are no jars."""
    manifest = read_manifest(jars_folder())
    return None if manifest is None else _files(java, manifest)


async def prepare_kafka(supervisor: Supervisor, report: Report) -> KafkaFiles:
    """The broker's files, made where the cache lacks them. Raises EnvironmentFailed."""
    java = find_java()

    async def fetch(folder: Path) -> None:
        report(f"fetching the jars of Apache Kafka {KAFKA_VERSION} (once, about 20 s)")
        await _fetch_jars(supervisor, folder)

    jars = await made(jars_folder(), fetch, _whole)
    manifest = read_manifest(jars)
    if manifest is None:
        raise EnvironmentFailed(f"{jars} vanished while it was used. Start again.")
    files = _files(java, manifest)

    async def format_and_train(folder: Path) -> None:
        report("formatting Kafka's folder and warming it up (once, about 20 s)")
        await _format_and_train(supervisor, files, folder)

    await made(files.data.parent, format_and_train)
    return files


def _files(java: Java, manifest: Manifest) -> KafkaFiles:
    jars = jars_folder()
    made_from = (str(java.executable), java.version, str(jars), manifest.sum, settings_text())
    folder = kafka_folder() / f"broker-{fingerprint(*made_from)}"
    aot = folder / _AOT if java.makes_aot_cache else None
    return KafkaFiles(java, jars, manifest, folder / _DATA, aot)


def _whole(jars: Path) -> bool:
    manifest = read_manifest(jars)
    return manifest is not None and not manifest.changed(jars)


async def _fetch_jars(supervisor: Supervisor, folder: Path) -> None:
    require_resolver()
    log = folder / "fetch.log"
    command = [sys.executable, "-m", "killpoint.compose.kafka_jars", str(folder)]
    program = Program("fetching Kafka's jars", command, folder, log, bare=False)
    await run(supervisor, program, _RESOLVE_LIMIT)
    log.unlink()


async def _format_and_train(supervisor: Supervisor, files: KafkaFiles, folder: Path) -> None:
    data = folder / _DATA
    await _format(supervisor, files, data)
    options = [f"-XX:AOTCacheOutput={folder / _AOT}"] if files.aot else []
    command = java_command(files.java, files.class_path, folder, *options)
    broker = await start_broker(supervisor, command, data, [])
    log = folder / "training.log"
    training = [sys.executable, "-m", "killpoint.compose.kafka_training", str(broker.direct)]
    program = Program("warming Kafka up", training, folder, log, bare=False)
    await run(supervisor, program, _STEP_LIMIT)
    await broker.process.signal(signal.SIGTERM)
    await ended(broker.process, broker.program, _STEP_LIMIT, _TERMINATED)
    _tidy(folder)


async def _format(supervisor: Supervisor, files: KafkaFiles, data: Path) -> None:
    cluster = urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
    # The tool reads the folder and the node from the configuration; it binds no port.
    configuration = write_properties(data, broker_properties(data, BrokerPorts(1, 2), [], "none"))
    command = [
        *java_command(files.java, files.class_path, data.parent),
        "kafka.tools.StorageTool",
        *("format", "--cluster-id", cluster, "--config", str(configuration)),
    ]
    program = Program(
        "formatting Kafka's folder", command, data.parent, data.with_name("kafka.log")
    )
    await run(supervisor, program, _STEP_LIMIT)


def _tidy(folder: Path) -> None:
    """Keep the data and the start-up cache; deleted topics leave folders until the next start."""
    for path in folder.iterdir():
        if path.name not in (_DATA, _AOT):
            path.unlink() if path.is_file() else shutil.rmtree(path)
    for deleted in (folder / _DATA).glob("*-delete"):
        shutil.rmtree(deleted)
