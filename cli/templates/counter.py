"""Counts clicks per link: reads batches from Kafka, adds them up in Postgres, saves the offset.

The order is count, then save: after a crash between the two the last batch is counted again.
"""

import json
import os
import signal
from types import FrameType

import psycopg
from confluent_kafka import Consumer, Message

BATCH_SIZE = int(os.environ.get("BATCH_SIZE", "3"))
ADD_CLICK = """
    insert into click_counts (code, clicks, amount) values (%s, 1, %s)
    on conflict (code) do update
    set clicks = click_counts.clicks + 1, amount = click_counts.amount + excluded.amount
"""


class Counter:
    """One consumer and one connection; `run` returns after SIGTERM or SIGINT."""

    def __init__(self, consumer: Consumer, database: psycopg.Connection) -> None:
        self.consumer = consumer
        self.database = database
        self.running = True

    def stop(self, _signal: int, _frame: FrameType | None) -> None:
        """Finish the batch at hand, then end."""
        self.running = False

    def run(self) -> None:
        """Batch after batch."""
        while self.running:
            clicks = self.consumer.consume(BATCH_SIZE, timeout=0.2)
            for click in clicks:
                if (error := click.error()) is not None:
                    raise SystemExit(f"cannot read: {error}")
            if clicks:
                self.count(clicks)
                self.consumer.commit(asynchronous=False)

    def count(self, clicks: list[Message]) -> None:
        """Add a batch in one transaction."""
        with self.database.transaction(), self.database.cursor() as cursor:
            for click in clicks:
                value = json.loads(click.value() or b"{}")
                cursor.execute(ADD_CLICK, (value["code"], value["amount"]))


def main() -> None:
    """Connect, count, and leave the group properly."""
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA"],
            "group.id": os.environ.get("KILLPOINT_GROUP", "click-counter"),
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
        }
    )
    consumer.subscribe([os.environ.get("KILLPOINT_TOPIC", "clicks")])
    with psycopg.connect(os.environ["POSTGRES"], autocommit=True) as database:
        counter = Counter(consumer, database)
        signal.signal(signal.SIGTERM, counter.stop)
        signal.signal(signal.SIGINT, counter.stop)
        try:
            counter.run()
        finally:
            consumer.close()


if __name__ == "__main__":
    main()
