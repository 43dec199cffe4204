"""Off by one: commits the offset of the record that was counted, not that of the next.

Every start counts the last click of each partition again, after an orderly stop as well.
"""

import json
import os
import signal
from threading import Event
from typing import Any

import psycopg
from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
DATABASE = os.environ["DATABASE_URL"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
GROUP = os.environ["KILLPOINT_GROUP"]
BATCH_SIZE = 3

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


def count(connection: psycopg.Connection, batch: list[Message]) -> None:
    """Count a batch in one transaction."""
    with connection.transaction():
        for event in map(event_of, batch):
            connection.execute(COUNT_CLICK, [event["code"]])


def main() -> None:
    """Count until SIGTERM; the batch in hand is finished first."""
    stopping = Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: stopping.set())
    consumer = subscribe()
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while not stopping.is_set():
            if batch := next_batch(consumer):
                count(connection, batch)
                last = TopicPartition(TOPIC, 0, batch[-1].offset() or 0)
                consumer.commit(offsets=[last], asynchronous=False)
    consumer.close()


if __name__ == "__main__":
    main()
