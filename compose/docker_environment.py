"""The docker environment: a Kafka and a Postgres of killpoint's own, in containers.

Counterparts: implements `faults.environment.Environment`; `docker_kafka` and `docker_postgres`
start the servers, `kafka_control` and `postgres_control` speak to them. Their ports are published
on the loopback only, so no container can reach them but through the proxies.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from killpoint.compose.docker_image import need_image
from killpoint.compose.docker_kafka import KafkaContainer, start_kafka_container
from killpoint.compose.docker_postgres import PostgresContainer, start_postgres_container
from killpoint.compose.docker_run import DockerRun, docker_run
from killpoint.compose.docker_server import keep_logs
from killpoint.compose.docker_servers import ServerWishes
from killpoint.compose.kafka_control import KafkaControl
from killpoint.compose.postgres_control import PostgresControl
from killpoint.faults.environment import Address, Upstream

Report = Callable[[str], None]

_NOT_STARTED: Final = "the environment has not been started"


class DockerEnvironment:
    """One stack; start it once. `report` is told what takes long, such as pulling an image.

    `logs` is a folder that the servers' logs are kept in when they are stopped.
    """

    def __init__(
        self,
        wishes: ServerWishes | None = None,
        report: Report = lambda words: None,
        logs: Path | None = None,
    ) -> None:
        self._wishes = wishes or ServerWishes()
        self._report = report
        self._logs = logs
        self._opened = contextlib.AsyncExitStack()
        self._broker: KafkaControl | None = None
        self._database: PostgresControl | None = None
        self._versions = ""

    @property
    def stack(self) -> str:
        """The kind of the environment, as in a result."""
        return "docker"

    @property
    def description(self) -> str:
        """Images and versions in words; Postgres's version is known once it has started."""
        return f"{self._wishes.kafka.image} and {self._wishes.postgres.image}{self._versions}"

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
        run = await self._opened.enter_async_context(docker_run())
        for key, image in self._wishes.images.items():
            await need_image(run.engine, image, key, self._report)
        if self._logs is not None:
            self._opened.push_async_callback(keep_logs, run, self._logs)
        kafka, postgres = await self._both(run, advertised)
        self._broker = KafkaControl(kafka.direct)
        self._opened.push_async_callback(self._broker.close)
        self._database = PostgresControl(postgres.address.host, postgres.login)
        self._opened.push_async_callback(self._database.close)
        engine = await run.engine.version()
        self._versions = f" (Postgres {postgres.version}, engine {engine})"
        return [Upstream(lane, postgres.address) for lane in kafka.lanes]

    async def stop(self) -> None:
        """Remove everything that was started. Never raises."""
        with contextlib.suppress(Exception):
            await self._opened.aclose()
        self._broker = self._database = None

    async def _both(
        self, run: DockerRun, advertised: Sequence[Address]
    ) -> tuple[KafkaContainer, PostgresContainer]:
        """Both at once; the first failure ends the other and is raised alone."""
        try:
            async with asyncio.TaskGroup() as group:
                broker = group.create_task(
                    start_kafka_container(run, self._wishes.kafka, advertised)
                )
                database = group.create_task(start_postgres_container(run, self._wishes.postgres))
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return broker.result(), database.result()
