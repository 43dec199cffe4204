"""A client's defaults: every five seconds a timer commits the offsets of what was handed out.

Most programs begin like this. A crash when the timer falls into the work loses the click in hand,
any other counts again what was counted since it last came.
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

COUNT_CLICK = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""


def subscribe() -> Consumer:
    """Join the group; nothing says how offsets are saved."""
    consumer = Consumer(
        {
            "bootstrap.servers": KAFKA,
            "group.id": GROUP,
            "auto.offset.reset": "earliest",
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
    """Count click by click."""
    consumer = subscribe()
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            record = consumer.poll(0.5)
            if record is None:
                continue
            event = event_of(record)
            connection.execute(COUNT_CLICK, [event["code"]])


if __name__ == "__main__":
    main()
