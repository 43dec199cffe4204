"""The embedded environment: a Kafka and a Postgres of killpoint's own, as processes.

Counterparts: implements `faults.environment.Environment`; `kafka_server` and `postgres_server`
start the servers, `kafka_control` and `postgres_control` speak to them. The servers are children
of a supervisor and their files lie in the folder of the run, so neither outlives killpoint.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from killpoint.compose.database_wish import DatabaseWish
from killpoint.compose.kafka_control import KafkaControl
from killpoint.compose.kafka_files import prepare_kafka
from killpoint.compose.kafka_jars import KAFKA_VERSION
from killpoint.compose.kafka_process import BrokerProcess
from killpoint.compose.kafka_server import start_kafka
from killpoint.compose.memory_folder import memory_folder
from killpoint.compose.own_servers import OwnServers, Report, both
from killpoint.compose.postgres_control import PostgresControl
from killpoint.compose.postgres_files import prepare_postgres
from killpoint.compose.postgres_server import PostgresProcess, start_postgres
from killpoint.compose.run_folder import RunFolder
from killpoint.compose.supervised import Supervisor
from killpoint.compose.workplace import workplace
from killpoint.faults.environment import Address, Upstream


class EmbeddedEnvironment(OwnServers):
    """One stack; start it once. `report` is told what the first start on a machine prepares.

    `kafka` are settings of the broker that go before killpoint's own.
    """

    def __init__(
        self,
        report: Report = lambda words: None,
        database: DatabaseWish | None = None,
        kafka: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(report)
        self._wish = database or DatabaseWish()
        self._kafka_settings = kafka
        self._postgres_version = ""

    @property
    def stack(self) -> str:
        """The kind of the environment, as in a result."""
        return "embedded"

    @property
    def description(self) -> str:
        """Versions in words; Postgres's is known once it has started."""
        return f"Apache Kafka {KAFKA_VERSION} and Postgres {self._postgres_version}".rstrip()

    async def start(self, advertised: Sequence[Address]) -> list[Upstream]:
        """Start both servers at once; `advertised` is the Kafka proxy's address of each lane.

        Returns when both serve requests. Raises EnvironmentFailed; `stop` is due then, too.
        """
        # Entered first: it is removed when the servers have ended.
        memory = self._opened.enter_context(memory_folder())
        folder, supervisor = await self._opened.enter_async_context(workplace())
        kafka, postgres = await both(
            self._start_kafka(supervisor, folder, advertised),
            self._start_postgres(supervisor, folder, memory),
        )
        database = PostgresControl(str(postgres.program.folder), postgres.login)
        self._control(KafkaControl(kafka.direct), database)
        self._postgres_version = postgres.version
        return [Upstream(lane, postgres.address) for lane in kafka.lanes]

    async def _start_kafka(
        self, supervisor: Supervisor, folder: RunFolder, advertised: Sequence[Address]
    ) -> BrokerProcess:
        files = await prepare_kafka(supervisor, self._report)
        place, settings = folder.path / "kafka", self._kafka_settings
        return await start_kafka(supervisor, files, place, advertised, settings)

    async def _start_postgres(
        self, supervisor: Supervisor, folder: RunFolder, memory: Path | None
    ) -> PostgresProcess:
        files = await prepare_postgres(supervisor, self._report, folder.path)
        place, settings = folder.path / "postgres", self._wish.settings
        return await start_postgres(supervisor, files, place, memory, settings)
