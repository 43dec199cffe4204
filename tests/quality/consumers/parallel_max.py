"""Parallel, highest offset: four handlers at once, and the highest finished offset is committed.

A click that takes longer than those behind it is stepped over by their offset.
"""

import json
import os
import time
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import Any

import psycopg
from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
DATABASE = os.environ["DATABASE_URL"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
GROUP = os.environ["KILLPOINT_GROUP"]
HANDLERS = 4

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


def event_of(record: Message) -> dict[str, Any]:
    """The event that a record carries."""
    if (error := record.error()) is not None:
        raise KafkaException(error)
    event: dict[str, Any] = json.loads(record.value() or b"{}")
    return event


def count(record: Message) -> int:
    """Count one click in a transaction of its own; returns the offset after it."""
    event = event_of(record)
    if event["preview"]:
        time.sleep(0.4)
    with psycopg.connect(DATABASE) as connection:
        connection.execute(COUNT_CLICK, [event["code"]])
    return (record.offset() or 0) + 1


def save_finished(consumer: Consumer, running: list[Future[int]]) -> None:
    """Commit an offset as soon as its handler has finished, if it is the highest so far."""
    highest = 0
    for finished in as_completed(running):
        if (offset := finished.result()) > highest:
            highest = offset
            place = TopicPartition(TOPIC, 0, offset)
            consumer.commit(offsets=[place], asynchronous=False)


def main() -> None:
    """Hand out as many clicks as there are handlers."""
    consumer = subscribe()
    with ThreadPoolExecutor(HANDLERS) as handlers:
        while True:
            records = consumer.consume(HANDLERS, timeout=0.2)
            save_finished(consumer, [handlers.submit(count, record) for record in records])


if __name__ == "__main__":
    main()
