"""Shutdown commits the position: a stop in the middle of a batch commits the end of the batch.

Each click has its own transaction and a message ID, so no crash does harm; an orderly stop does:
the commit without arguments means what was polled, not what was counted.
"""

import json
import os
import signal
from threading import Event
from typing import Any

import psycopg
from confluent_kafka import Consumer, KafkaException, Message

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


def count(connection: psycopg.Connection, event: dict[str, Any]) -> None:
    """Count one click, once."""
    with connection.transaction():
        if connection.execute(REMEMBER_CLICK, [event["id"]]).rowcount == 1:
            connection.execute(COUNT_CLICK, [event["code"]])


def main() -> None:
    """Count until SIGTERM."""
    stopping = Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: stopping.set())
    consumer = subscribe()
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while not stopping.is_set():
            batch = next_batch(consumer)
            for record in batch:
                if stopping.is_set():
                    break
                count(connection, event_of(record))
            if batch:
                consumer.commit(asynchronous=False)
    consumer.close()


if __name__ == "__main__":
    main()
