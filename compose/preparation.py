"""What the first start on a machine does, done ahead: `killpoint doctor` and `make` call it.

Counterparts: `kafka_files` and `postgres_files` do the work; what is there already costs nothing.
"""

from collections.abc import Callable

from killpoint.compose.kafka_files import prepare_kafka
from killpoint.compose.postgres_files import prepare_postgres
from killpoint.compose.workplace import workplace

Report = Callable[[str], None]


async def prepare(report: Report) -> None:
    """Fill the cache: jars, Kafka's folder and start-up cache, Postgres's folder.

    `report` is told what is about to be made, in words, and nothing where all is there. Raises
    EnvironmentFailed.
    """
    async with workplace() as (folder, supervisor):
        await prepare_kafka(supervisor, report)
        await prepare_postgres(supervisor, report, folder.path)
