"""Timer commit: a timer of the client commits offsets past records that are still being handled.

A crash after the timer loses the click in hand, one before it counts again what was counted.
"""

import json
import os
import time
from typing import Any

import psycopg
from confluent_kafka import Consumer, KafkaException, Message

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
DATABASE = os.environ["DATABASE_URL"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
GROUP = os.environ["KILLPOINT_GROUP"]

COUNT_CLICK = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""


def subscribe() -> Consumer:
    """Join the group; the client commits what it has handed out on a timer."""
    consumer = Consumer(
        {
            "bootstrap.servers": KAFKA,
            "group.id": GROUP,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": True,
            "auto.commit.interval.ms": 100,
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
    """Count click by click; some need a preview first, which takes its time."""
    consumer = subscribe()
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            record = consumer.poll(0.5)
            if record is None:
                continue
            event = event_of(record)
            if event["preview"]:
                time.sleep(0.4)
            connection.execute(COUNT_CLICK, [event["code"]])


if __name__ == "__main__":
    main()
