"""The embedded environment: a Kafka and a Postgres of killpoint's own, as processes.

Counterparts: implements `faults.environment.Environment`; `kafka_server` and `postgres_server`
start the servers, `kafka_control` and `postgres_control` speak to them. The servers are children
of a supervisor and their files lie in the folder of the run, so neither outlives killpoint.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Final

from killpoint.compose.kafka_control import KafkaControl
from killpoint.compose.kafka_files import prepare_kafka
from killpoint.compose.kafka_jars import KAFKA_VERSION
from killpoint.compose.kafka_process import BrokerProcess
from killpoint.compose.kafka_server import start_kafka
from killpoint.compose.memory_folder import memory_folder
from killpoint.compose.postgres_control import PostgresControl
from killpoint.compose.postgres_files import prepare_postgres
from killpoint.compose.postgres_server import PostgresProcess, start_postgres
from killpoint.compose.run_folder import RunFolder
from killpoint.compose.supervised import Supervisor
from killpoint.compose.workplace import workplace
from killpoint.faults.environment import Address, Upstream

Report = Callable[[str], None]

_NOT_STARTED: Final = "the environment has not been started"


class EmbeddedEnvironment:
    """One stack; start it once. `report` is told what the first start on a machine prepares."""

    def __init__(self, report: Report = lambda words: None) -> None:
        self._report = report
        self._opened = contextlib.AsyncExitStack()
        self._broker: KafkaControl | None = None
        self._database: PostgresControl | None = None
        self._postgres_version = ""

    @property
    def stack(self) -> str:
        """The kind of the environment, as in a result."""
        return "embedded"

    @property
    def description(self) -> str:
        """Versions in words; Postgres's is known once it has started."""
        return f"Apache Kafka {KAFKA_VERSION} and Postgres {self._postgres_version}".rstrip()

    @property
    def broker(self) -> KafkaControl:
        """Control of Kafka; only after `start`."""
        if self._broker is None:
            raise RuntimeError(_NOT_STARTED)
        return self._broker

    @property
    def database(self) -> PostgresControl:
        """Control of Postgres; only after `start`."""
        if self._database is None:
            raise RuntimeError(_NOT_STARTED)
        return self._database

    async def start(self, advertised: Sequence[Address]) -> list[Upstream]:
        """Start both servers at once; `advertised` is the Kafka proxy's address of each lane.

        Returns when both serve requests. Raises EnvironmentFailed; `stop` is due then, too.
        """
        # Entered first: it is removed when the servers have ended.
        memory = self._opened.enter_context(memory_folder())
        folder, supervisor = await self._opened.enter_async_context(workplace())
        kafka, postgres = await _both(
            self._start_kafka(supervisor, folder, advertised),
            self._start_postgres(supervisor, folder, memory),
        )
        self._broker = KafkaControl(kafka.direct)
        self._opened.push_async_callback(self._broker.close)
        self._database = PostgresControl(str(postgres.program.folder), postgres.login)
        self._opened.push_async_callback(self._database.close)
        self._postgres_version = postgres.version
        return [Upstream(lane, postgres.address) for lane in kafka.lanes]

    async def stop(self) -> None:
        """End everything that was started, and remove the run's folder. Never raises."""
        with contextlib.suppress(Exception):
            await self._opened.aclose()
        self._broker = self._database = None

    async def _start_kafka(
        self, supervisor: Supervisor, folder: RunFolder, advertised: Sequence[Address]
    ) -> BrokerProcess:
        files = await prepare_kafka(supervisor, self._report)
        return await start_kafka(supervisor, files, folder.path / "kafka", advertised)

    async def _start_postgres(
        self, supervisor: Supervisor, folder: RunFolder, memory: Path | None
    ) -> PostgresProcess:
        files = await prepare_postgres(supervisor, self._report, folder.path)
        return await start_postgres(supervisor, files, folder.path / "postgres", memory)


async def _both(
    kafka: Coroutine[None, None, BrokerProcess], postgres: Coroutine[None, None, PostgresProcess]
) -> tuple[BrokerProcess, PostgresProcess]:
    """Both at once; the first failure ends the other and is raised alone."""
    try:
        async with asyncio.TaskGroup() as group:
            broker = group.create_task(kafka)
            database = group.create_task(postgres)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return broker.result(), database.result()
