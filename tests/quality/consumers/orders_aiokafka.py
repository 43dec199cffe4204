"""The three orders of counting and saving, over aiokafka.

ORDER: count-then-save, save-then-count or offset-with-result. Counterpart: `orders.py`.
"""

import asyncio
import importlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from psycopg import AsyncConnection

aiokafka: Any = importlib.import_module("aiokafka")  # it has no types

TOPIC = os.environ["KILLPOINT_TOPIC"]
ORDER = os.environ["ORDER"]
BATCH_SIZE = 4
PATIENCE_MS = 200

COUNT_CLICK = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""
MOVE_OFFSET = """
    insert into consumer_offsets (topic, partition, next_offset) values (%s, 0, %s)
    on conflict (topic, partition) do update set next_offset = excluded.next_offset
"""
READ_OFFSET = "select next_offset from consumer_offsets where topic = %s and partition = 0"


@dataclass(frozen=True, slots=True)
class WhereTheTableSays:
    """Begins there with each partition that it is given.

    The client fetches from the group's offset while this asks the table: what comes before `moved`
    is not to be handled, or it would be handled again after the seek.
    """

    consumer: Any
    database: AsyncConnection
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    def on_partitions_revoked(self, revoked: Iterable[Any]) -> None:
        """Leave them: the position is in the table already."""

    async def on_partitions_assigned(self, assigned: Iterable[Any]) -> None:
        """Move to the next offset, or to the beginning."""
        row = await (await self.database.execute(READ_OFFSET, [TOPIC])).fetchone()
        for partition in assigned:
            self.consumer.seek(partition, 0 if row is None else row[0])
        self.moved.set()


aiokafka.ConsumerRebalanceListener.register(WhereTheTableSays)


async def subscribe(database: AsyncConnection) -> Any:
    """Join the group."""
    consumer = aiokafka.AIOKafkaConsumer(
        bootstrap_servers=os.environ["KAFKA_BOOTSTRAP_SERVERS"],
        group_id=os.environ["KILLPOINT_GROUP"],
        auto_offset_reset="earliest",
        enable_auto_commit=False,
    )
    own = WhereTheTableSays(consumer, database) if ORDER == "offset-with-result" else None
    consumer.subscribe([TOPIC], listener=own)
    await consumer.start()
    if own is not None:
        await own.moved.wait()
    return consumer


async def count(database: AsyncConnection, batch: list[Any]) -> None:
    """Count a batch in one transaction, with the offset after it where that is wanted."""
    async with database.transaction():
        for record in batch:
            await database.execute(COUNT_CLICK, [json.loads(record.value)["code"]])
        if ORDER == "offset-with-result":
            await database.execute(MOVE_OFFSET, [TOPIC, batch[-1].offset + 1])


async def main() -> None:
    """Count batch after batch."""
    database = await AsyncConnection.connect(os.environ["DATABASE_URL"], autocommit=True)
    consumer = await subscribe(database)
    while True:
        found = await consumer.getmany(timeout_ms=PATIENCE_MS, max_records=BATCH_SIZE)
        for partition, batch in found.items():
            after = {partition: batch[-1].offset + 1}
            if ORDER == "save-then-count":
                await consumer.commit(after)
            await count(database, batch)
            if ORDER == "count-then-save":
                await consumer.commit(after)


if __name__ == "__main__":
    asyncio.run(main())
