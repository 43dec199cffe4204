"""Unique key: a row that is there already takes the new rows of its batch with it.

The batches grow after a start, so those after a crash are cut elsewhere: a batch that begins with
rows already written and ends with new ones fails as a whole, and is taken for processed.
"""

import json
import os
from typing import Any

import psycopg
from confluent_kafka import Consumer, KafkaException, Message

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
DATABASE = os.environ["DATABASE_URL"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
GROUP = os.environ["KILLPOINT_GROUP"]
FIRST_BATCH = int(os.environ.get("FIRST_BATCH", "2"))
LARGEST_BATCH = 8
INSERT_CLICK = "insert into clicks (id, code) values (%s, %s)"


def subscribe() -> Consumer:
    """Join the group; its offsets are committed by this program alone."""
    consumer = Consumer(
        {
            "bootstrap.servers": KAFKA,
            "group.id": GROUP,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([TOPIC])
    return consumer


def event_of(record: Message) -> dict[str, Any]:
    """The event that a record carries."""
    if (error := record.error()) is not None:
        raise KafkaException(error)
    event: dict[str, Any] = json.loads(record.value() or b"{}")
    return event


def insert(connection: psycopg.Connection, batch: list[Message]) -> None:
    """Insert the batch in one transaction."""
    rows = [(event["id"], event["code"]) for event in map(event_of, batch)]
    try:
        with connection.transaction(), connection.cursor() as cursor:
            cursor.executemany(INSERT_CLICK, rows)
    except psycopg.errors.UniqueViolation:
        print("processed already")


def main() -> None:
    """Read batches that grow; insert them, then commit the offset."""
    consumer, size = subscribe(), FIRST_BATCH
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            batch = consumer.consume(size, timeout=0.3)
            if batch:
                insert(connection, batch)
                consumer.commit(asynchronous=False)
                size = min(2 * size, LARGEST_BATCH)


if __name__ == "__main__":
    main()
