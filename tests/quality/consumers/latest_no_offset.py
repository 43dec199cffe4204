"""Latest, no offset: a new group starts at the end of the topic, as its reset policy says.

Each click counts once, and its offset is saved after the transaction. But until the first offset is
saved, every start begins at the end: what came before it, counted or not, is not read again.
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
            "auto.offset.reset": "latest",
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


def main() -> None:
    """Count one click in one transaction, then commit its offset."""
    consumer = subscribe()
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            record = consumer.poll(0.5)
            if record is None:
                continue
            event = event_of(record)
            with connection.transaction():
                if connection.execute(REMEMBER_CLICK, [event["id"]]).rowcount == 1:
                    connection.execute(COUNT_CLICK, [event["code"]])
            consumer.commit(message=record, asynchronous=False)


if __name__ == "__main__":
    main()
