"""Assigns partitions by itself: no subscription, no membership, offsets of a group all the same.

Message IDs make a repeated batch harmless: effectively once.
"""

import json
import os
from typing import Any

import psycopg
from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
DATABASE = os.environ["DATABASE_URL"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
GROUP = os.environ["KILLPOINT_GROUP"]
BATCH_SIZE = 3

REMEMBER_CLICK = "insert into processed (message_id) values (%s) on conflict do nothing"

COUNT_CLICK = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""


def assign() -> Consumer:
    """Take the only partition, from the offset of the group on."""
    consumer = Consumer(
        {
            "bootstrap.servers": KAFKA,
            "group.id": GROUP,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.assign(consumer.committed([TopicPartition(TOPIC, 0)]))
    return consumer


def next_batch(consumer: Consumer) -> list[Message]:
    """Collect up to BATCH_SIZE records; fewer when the topic is idle."""
    batch: list[Message] = []
    while len(batch) < BATCH_SIZE:
        records = consumer.consume(BATCH_SIZE - len(batch), timeout=0.2)
        if not records:
            break
        batch += records
    return batch


def event_of(record: Message) -> dict[str, Any]:
    """The event that a record carries."""
    if (error := record.error()) is not None:
        raise KafkaException(error)
    event: dict[str, Any] = json.loads(record.value() or b"{}")
    return event


def count(connection: psycopg.Connection, batch: list[Message]) -> None:
    """Count the clicks that were not counted yet, in one transaction."""
    with connection.transaction():
        for event in map(event_of, batch):
            if connection.execute(REMEMBER_CLICK, [event["id"]]).rowcount == 1:
                connection.execute(COUNT_CLICK, [event["code"]])


def main() -> None:
    """Count, then commit the offset."""
    consumer = assign()
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            if batch := next_batch(consumer):
                count(connection, batch)
                consumer.commit(asynchronous=False)


if __name__ == "__main__":
    main()
