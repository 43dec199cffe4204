"""A Kafka and a Postgres of killpoint's own: control of both once they run, and their end.

Counterparts: `embedded` starts them as processes, `docker_environment` in containers; each adds
how, and everything else of `faults.environment.Environment` is here.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

from killpoint.compose.kafka_control import KafkaControl
from killpoint.compose.postgres_control import PostgresControl

Report = Callable[[str], None]
K = TypeVar("K")
P = TypeVar("P")

_NOT_STARTED: Final = "the environment has not been started"


class OwnServers:
    """What was opened is closed in reverse order by `stop`; `report` is told what takes long."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._opened = contextlib.AsyncExitStack()
        self._broker: KafkaControl | None = None
        self._database: PostgresControl | None = None

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

    async def stop(self) -> None:
        """End and remove everything that was started. Never raises."""
        with contextlib.suppress(Exception):
            await self._opened.aclose()
        self._broker = self._database = None

    def _control(self, broker: KafkaControl, database: PostgresControl) -> None:
        """Both servers run: speak to them through these from now on."""
        self._broker, self._database = broker, database
        self._opened.push_async_callback(broker.close)
        self._opened.push_async_callback(database.close)


async def both(kafka: Coroutine[None, None, K], postgres: Coroutine[None, None, P]) -> tuple[K, P]:
    """Start both at once; the first failure ends the other and is raised alone."""
    try:
        async with asyncio.TaskGroup() as group:
            broker = group.create_task(kafka)
            database = group.create_task(postgres)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return broker.result(), database.result()
