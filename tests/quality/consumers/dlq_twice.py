"""Retry topic: clicks that fail are produced there, and counted when they come back.

The produced record and the offset are not one: a crash between them puts the same click into the
retry topic again, and the message ID that keeps the first attempt right is the attempt's own.
"""

import json
import os
from typing import Any
from uuid import uuid4

import psycopg
from confluent_kafka import Consumer, KafkaException, Message, Producer

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
DATABASE = os.environ["DATABASE_URL"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
GROUP = os.environ["KILLPOINT_GROUP"]
RETRY_TOPIC = os.environ["RETRY_TOPIC"]

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
    consumer.subscribe([TOPIC, RETRY_TOPIC])
    return consumer


def event_of(record: Message) -> dict[str, Any]:
    """The event that a record carries."""
    if (error := record.error()) is not None:
        raise KafkaException(error)
    event: dict[str, Any] = json.loads(record.value() or b"{}")
    return event


def count(connection: psycopg.Connection, event: dict[str, Any]) -> None:
    """Count one click: first its ID, and nothing more if it is known."""
    with connection.transaction():
        if connection.execute(REMEMBER_CLICK, [event["id"]]).rowcount == 1:
            connection.execute(COUNT_CLICK, [event["code"]])


def retry_later(producer: Producer, record: Message, event: dict[str, Any]) -> None:
    """Put the click into the retry topic, with an ID of the new attempt."""
    attempt = {**event, "id": str(uuid4()), "preview": False}
    producer.produce(RETRY_TOPIC, json.dumps(attempt).encode(), record.key())
    producer.flush()


def main() -> None:
    """Count each click, or put it off if its preview cannot be had now; then commit its offset."""
    consumer, producer = subscribe(), Producer({"bootstrap.servers": KAFKA})
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            record = consumer.poll(0.5)
            if record is None:
                continue
            event = event_of(record)
            if event["preview"]:
                retry_later(producer, record, event)
            else:
                count(connection, event)
            consumer.commit(message=record, asynchronous=False)


if __name__ == "__main__":
    main()
