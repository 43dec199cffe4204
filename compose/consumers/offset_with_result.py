"""Offset with the result: counts clicks per link; totals and next offset are committed together.

The offset lives in the table `consumer_offsets` and is where a start begins; its row is locked, and
what it says is counted already is skipped. The group's own offset is never committed. Either both
are there after a crash or neither: effectively once.
"""

import json
import os
import signal
from itertools import groupby
from threading import Event
from typing import LiteralString

import psycopg
from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

KAFKA = os.environ.get("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092")
DATABASE = os.environ.get("DATABASE_URL", "postgresql://localhost/clicks")
TOPIC = os.environ.get("KILLPOINT_TOPIC", "clicks")
GROUP = os.environ.get("KILLPOINT_GROUP", "click-counter")
BATCH_SIZE = int(os.environ.get("BATCH_SIZE", "3"))
IDLE_SECONDS = 0.2  # a batch that gets no further record for so long is handled as it is

READ_OFFSET = "select next_offset from consumer_offsets where topic = %s and partition = %s"
LOCK_OFFSET = READ_OFFSET + " for update"
FIRST_OFFSET = """
    insert into consumer_offsets (topic, partition, next_offset) values (%s, %s, %s)
    on conflict do nothing
"""
MOVE_OFFSET = """
    update consumer_offsets set next_offset = %s where topic = %s and partition = %s
"""
COUNT_CLICK = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""


def subscribe(connection: psycopg.Connection) -> Consumer:
    """Join the group; each partition assigned starts where the table says."""

    def start(consumer: Consumer, partitions: list[TopicPartition]) -> None:
        for place in consumer.committed(partitions):
            # Only the very first start finds no row: it begins where the group stands.
            row = [place.topic, place.partition, max(place.offset, 0)]
            connection.execute(FIRST_OFFSET, row)
        for place in partitions:
            place.offset = next_offset(connection, READ_OFFSET, place.topic, place.partition)
        consumer.assign(partitions)

    consumer = Consumer(
        {
            "bootstrap.servers": KAFKA,
            "group.id": GROUP,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "session.timeout.ms": 6000,
        }
    )
    consumer.subscribe([TOPIC], on_assign=start)
    return consumer


def next_batch(consumer: Consumer) -> list[Message]:
    """Collect up to BATCH_SIZE records; fewer when the topic is idle, none when it is empty."""
    batch: list[Message] = []
    while len(batch) < BATCH_SIZE:
        records = consumer.consume(BATCH_SIZE - len(batch), timeout=IDLE_SECONDS)
        if not records:
            break
        for record in records:
            if (error := record.error()) is not None:
                raise KafkaException(error)
        batch += records
    return batch


def next_offset(
    connection: psycopg.Connection, query: LiteralString, topic: str, partition: int
) -> int:
    """Ask for the first offset of the partition that is not counted yet."""
    row = connection.execute(query, [topic, partition]).fetchone()
    if row is None:
        raise LookupError(f"consumer_offsets has no row for {topic}-{partition}")
    return int(row[0])


def count(connection: psycopg.Connection, partition: int, batch: list[Message]) -> None:
    """Add what is not counted yet to the totals and move the offset, in one transaction."""
    with connection.transaction():
        first = next_offset(connection, LOCK_OFFSET, TOPIC, partition)
        fresh = [record for record in batch if offset_of(record) >= first]
        for record in fresh:
            event = json.loads(record.value() or b"{}")
            connection.execute(COUNT_CLICK, [event["code"]])
        if fresh:
            connection.execute(MOVE_OFFSET, [offset_of(fresh[-1]) + 1, TOPIC, partition])


def offset_of(record: Message) -> int:
    """The record's offset; every record that was fetched has one."""
    return record.offset() or 0


def main() -> None:
    """Count until SIGTERM; the batch in hand is finished first."""
    stopping = Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: stopping.set())
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        consumer = subscribe(connection)
        try:
            while not stopping.is_set():
                batch = next_batch(consumer)
                for partition, records in groupby(batch, key=Message.partition):
                    count(connection, partition or 0, list(records))
        finally:
            consumer.close()


if __name__ == "__main__":
    main()
