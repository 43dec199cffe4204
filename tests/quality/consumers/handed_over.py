"""Handed over: a child process counts, the parent acknowledges what it has handed to the child.

A crash loses what waits in the queue between the two.
"""

import json
import os
import time
from multiprocessing import Process, Queue
from typing import Any

import psycopg
from confluent_kafka import Consumer, KafkaException, Message

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


def count(events: "Queue[dict[str, Any]]") -> None:
    """The child: count what comes through the queue."""
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            event = events.get()
            time.sleep(0.1)  # the preview of the link
            connection.execute(COUNT_CLICK, [event["code"]])


def main() -> None:
    """The parent: hand over a batch, then commit its offset."""
    events: Queue[dict[str, Any]] = Queue()
    Process(target=count, args=(events,), daemon=True).start()
    consumer = subscribe()
    while True:
        for record in (batch := next_batch(consumer)):
            events.put(event_of(record))
        if batch:
            consumer.commit(asynchronous=False)


if __name__ == "__main__":
    main()
