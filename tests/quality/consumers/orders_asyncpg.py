"""The three orders of counting and saving, over asyncpg.

ORDER: count-then-save, save-then-count or offset-with-result. Counterpart: `orders.py`.
"""

import asyncio
import importlib
import json
import os
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Message, TopicPartition

asyncpg: Any = importlib.import_module("asyncpg")  # it has no types

TOPIC = os.environ["KILLPOINT_TOPIC"]
ORDER = os.environ["ORDER"]
BATCH_SIZE = 4

COUNT_CLICK = """
    insert into click_counts (code, clicks) values ($1, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""
MOVE_OFFSET = """
    insert into consumer_offsets (topic, partition, next_offset) values ($1, 0, $2)
    on conflict (topic, partition) do update set next_offset = excluded.next_offset
"""
READ_OFFSET = "select next_offset from consumer_offsets where topic = $1 and partition = 0"


async def subscribe(database: Any) -> Consumer:
    """Join the group; the only partition may start where the table says."""
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"],
            "group.id": os.environ["KILLPOINT_GROUP"],
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    if ORDER == "offset-with-result":
        known = await database.fetchval(READ_OFFSET, TOPIC)
        offset: int = OFFSET_BEGINNING if known is None else known

        def start(consumer: Consumer, partitions: list[TopicPartition]) -> None:
            consumer.assign([TopicPartition(p.topic, p.partition, offset) for p in partitions])

        consumer.subscribe([TOPIC], on_assign=start)
    else:
        consumer.subscribe([TOPIC])
    return consumer


def next_batch(consumer: Consumer) -> list[Message]:
    """Collect up to BATCH_SIZE records."""
    batch: list[Message] = []
    while len(batch) < BATCH_SIZE:
        records = consumer.consume(BATCH_SIZE - len(batch), timeout=0.2)
        if not records:
            break
        for record in records:
            if (error := record.error()) is not None:
                raise KafkaException(error)
        batch += records
    return batch


async def count(database: Any, batch: list[Message]) -> None:
    """Count a batch in one transaction, with the offset after it where that is wanted."""
    async with database.transaction():
        for record in batch:
            await database.execute(COUNT_CLICK, json.loads(record.value() or b"{}")["code"])
        if ORDER == "offset-with-result":
            await database.execute(MOVE_OFFSET, TOPIC, (batch[-1].offset() or 0) + 1)


async def main() -> None:
    """Count batch after batch."""
    database = await asyncpg.connect(os.environ["DATABASE_URL"])
    consumer = await subscribe(database)
    while True:
        batch = await asyncio.to_thread(next_batch, consumer)
        if not batch:
            continue
        if ORDER == "save-then-count":
            consumer.commit(asynchronous=False)
        await count(database, batch)
        if ORDER == "count-then-save":
            consumer.commit(asynchronous=False)


if __name__ == "__main__":
    asyncio.run(main())
