"""Auto-commit: counts clicks per link; a timer of the client commits the offsets.

The client commits what it has handed out, not what has been counted. A crash after the timer loses
the clicks still being handled, a crash before it repeats those already counted: no guarantee.
"""

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import psycopg
from confluent_kafka import Consumer, KafkaException, Message

KAFKA = os.environ.get("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092")
DATABASE = os.environ.get("DATABASE_URL", "postgresql://localhost/clicks")
TOPIC = os.environ.get("KILLPOINT_TOPIC", "clicks")
GROUP = os.environ.get("KILLPOINT_GROUP", "click-counter")
BATCH_SIZE = int(os.environ.get("BATCH_SIZE", "3"))
IDLE_SECONDS = 0.2  # a batch that gets no further record for so long is handled as it is
PREVIEW_SECONDS = 0.4
SAVE_SECONDS = 60  # a batch that takes longer ends the program

COUNT_CLICK = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""


def subscribe() -> Consumer:
    """Join the group; the client commits its offsets ten times a second."""
    consumer = Consumer(
        {
            "bootstrap.servers": KAFKA,
            "group.id": GROUP,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": True,
            "auto.commit.interval.ms": 100,
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
    """Add the batch to the totals, each click in a transaction of its own."""
    for record in batch:
        event = json.loads(record.value() or b"{}")
        if event.get("preview"):
            render_preview()
        connection.execute(COUNT_CLICK, [event["code"]])


def render_preview() -> None:
    """Stand in for the call to another service that some clicks need before they are counted."""
    time.sleep(PREVIEW_SECONDS)


def main() -> None:
    """Count until SIGTERM; the batch in hand is finished first."""
    stopping = Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: stopping.set())
    consumer = subscribe()
    try:
        with (
            psycopg.connect(DATABASE, autocommit=True) as connection,
            ThreadPoolExecutor(max_workers=1) as worker,
        ):
            while not stopping.is_set():
                if batch := next_batch(consumer):
                    worker.submit(count, connection, batch).result(timeout=SAVE_SECONDS)
    finally:
        consumer.close()


if __name__ == "__main__":
    main()
