"""The docker environment: a Kafka and a Postgres of killpoint's own, in containers.

Counterparts: implements `faults.environment.Environment`; `docker_kafka` and `docker_postgres`
start the servers, `kafka_control` and `postgres_control` speak to them. Their ports are published
on the loopback only, so no container can reach them but through the proxies.
"""

from collections.abc import Sequence
from pathlib import Path

from killpoint.compose.compose_server import start_composed_postgres
from killpoint.compose.database_wish import DatabaseWish
from killpoint.compose.docker_image import need_image
from killpoint.compose.docker_kafka import start_kafka_container
from killpoint.compose.docker_postgres import PostgresContainer, start_postgres_container
from killpoint.compose.docker_run import DockerRun, docker_run
from killpoint.compose.docker_server import keep_logs
from killpoint.compose.docker_servers import ServerWishes
from killpoint.compose.kafka_control import KafkaControl
from killpoint.compose.own_servers import OwnServers, Report, both
from killpoint.compose.postgres_control import PostgresControl
from killpoint.faults.environment import Address, Upstream


class DockerEnvironment(OwnServers):
    """One stack; start it once. `report` is told what takes long, such as pulling an image.

    `logs` is a folder that the servers' logs are kept in when they are stopped; `database` is
    what is wished of Postgres wherever it runs.
    """

    def __init__(
        self,
        wishes: ServerWishes | None = None,
        report: Report = lambda words: None,
        logs: Path | None = None,
        database: DatabaseWish | None = None,
    ) -> None:
        super().__init__(report)
        self._wishes = wishes or ServerWishes()
        self._logs = logs
        self._database_wish = database or DatabaseWish()
        self._versions = ""

    @property
    def stack(self) -> str:
        """The kind of the environment, as in a result."""
        return "docker"

    @property
    def description(self) -> str:
        """Images and versions in words; Postgres's version is known once it has started."""
        return f"{self._wishes.kafka.image} and {self._wishes.postgres_words}{self._versions}"

    async def start(self, advertised: Sequence[Address]) -> list[Upstream]:
        """Start both servers at once; `advertised` is the Kafka proxy's address of each lane.

        Returns when both serve requests. Raises EnvironmentFailed; `stop` is due then, too.
        """
        run = await self._opened.enter_async_context(docker_run())
        for key, image in self._wishes.images.items():
            await need_image(run.engine, image, key, self._report)
        if self._logs is not None:
            self._opened.push_async_callback(keep_logs, run, self._logs)
        kafka, postgres = await both(
            start_kafka_container(run, self._wishes.kafka, advertised),
            self._postgres(run),
        )
        database = PostgresControl(postgres.address.host, postgres.login)
        self._control(KafkaControl(kafka.direct), database)
        engine = await run.engine.version()
        self._versions = f" (Postgres {postgres.version}, engine {engine})"
        return [Upstream(lane, postgres.address) for lane in kafka.lanes]

    async def _postgres(self, run: DockerRun) -> PostgresContainer:
        if self._wishes.composed is not None:
            return await start_composed_postgres(run, self._wishes.composed, self._report)
        return await start_postgres_container(run, self._wishes.postgres, self._database_wish)
