"""Commit on close: counts clicks per link, each click once; closing commits what was handed out.

The totals and the IDs counted are committed together, so a repeated batch does no harm. But an
orderly stop closes the client, which commits the offsets of the batch in hand, counted or not: a
deploy in the middle of a batch loses it, which no crash does: at most once.
"""

import json
import os
import signal
import sys
from types import FrameType

import psycopg
from confluent_kafka import Consumer, KafkaException, Message

KAFKA = os.environ.get("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092")
DATABASE = os.environ.get("DATABASE_URL", "postgresql://localhost/clicks")
TOPIC = os.environ.get("KILLPOINT_TOPIC", "clicks")
GROUP = os.environ.get("KILLPOINT_GROUP", "click-counter")
BATCH_SIZE = int(os.environ.get("BATCH_SIZE", "3"))
IDLE_SECONDS = 0.2  # a batch that gets no further record for so long is handled as it is

REMEMBER_CLICK = """
    insert into processed (message_id) values (%s)
    on conflict do nothing
"""
COUNT_CLICK = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""


def subscribe() -> Consumer:
    """Join the group; the client commits its offsets once a minute, and when it is closed."""
    consumer = Consumer(
        {
            "bootstrap.servers": KAFKA,
            "group.id": GROUP,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": True,
            "auto.commit.interval.ms": 60_000,
            "session.timeout.ms": 6000,
        }
    )
    consumer.subscribe([TOPIC])
    return consumer


def next_batch(consumer: Consumer) -> list[Message]:
    """Collect up to BATCH_SIZE records; fewer when the topic is idle, none when it is empty."""
    batch: list[Message] = []
    while len(batch) < BATCH_SIZE:
        records = consumer.consume(BATCH_SIZE - len(batch), timeout=IDLE_SECONDS)
        if not records:
            break
        for record in records:
            if (error := record.error()) is not None:
                raise KafkaException(error)
        batch += records
    return batch


def count(connection: psycopg.Connection, batch: list[Message]) -> None:
    """Add the clicks that were not counted yet to the totals, in one transaction."""
    with connection.transaction():
        for record in batch:
            event = json.loads(record.value() or b"{}")
            if connection.execute(REMEMBER_CLICK, [event["id"]]).rowcount == 1:
                connection.execute(COUNT_CLICK, [event["code"]])


def stop(_number: int, _frame: FrameType | None) -> None:
    """Leave by the usual way, whatever is being done."""
    sys.exit(0)


def main() -> None:
    """Count until SIGTERM."""
    signal.signal(signal.SIGTERM, stop)
    consumer = subscribe()
    try:
        with psycopg.connect(DATABASE, autocommit=True) as connection:
            while True:
                if batch := next_batch(consumer):
                    count(connection, batch)
    finally:
        consumer.close()


if __name__ == "__main__":
    main()
