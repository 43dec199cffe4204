"""Filter: only active links are counted, for half of the records nothing is written.

Message IDs make a repeated batch harmless: effectively once.
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
    """Count the clicks on active links; commit the offset of all."""
    consumer = subscribe()
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            record = consumer.poll(0.5)
            if record is None:
                continue
            event = event_of(record)
            if event["status"] == "active":
                count(connection, event)
            consumer.commit(message=record, asynchronous=False)


if __name__ == "__main__":
    main()
