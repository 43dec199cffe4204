"""Memory buffer: rows wait in memory for the next flush while a timer commits their offsets.

A crash before the flush loses all rows of the buffer.
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
FLUSH_ROWS = 100
FLUSH_SECONDS = float(os.environ.get("FLUSH_SECONDS", "0.5"))

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


def flush(connection: psycopg.Connection, rows: list[str]) -> None:
    """Write all rows in one transaction."""
    with connection.transaction(), connection.cursor() as cursor:
        cursor.executemany(COUNT_CLICK, [(row,) for row in rows])
    rows.clear()


def main() -> None:
    """Collect rows; flush them when they are many or old."""
    consumer = subscribe()
    rows: list[str] = []
    due = 0.0
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            record = consumer.poll(0.05)
            if record is not None:
                if not rows:
                    due = time.monotonic() + FLUSH_SECONDS
                rows.append(event_of(record)["code"])
            if rows and (len(rows) >= FLUSH_ROWS or time.monotonic() > due):
                flush(connection, rows)


if __name__ == "__main__":
    main()
