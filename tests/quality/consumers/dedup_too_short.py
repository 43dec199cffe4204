"""Deduplication too short: the IDs already counted are kept in memory only.

They are gone after a crash, when they would be needed.
"""

import json
import os
from collections import OrderedDict
from typing import Any

import psycopg
from confluent_kafka import Consumer, KafkaException, Message

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
DATABASE = os.environ["DATABASE_URL"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
GROUP = os.environ["KILLPOINT_GROUP"]
BATCH_SIZE = 3
REMEMBERED = 1000

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


def next_batch(consumer: Consumer) -> list[Message]:
    """Collect up to BATCH_SIZE records; fewer when the topic is idle."""
    batch: list[Message] = []
    while len(batch) < BATCH_SIZE:
        records = consumer.consume(BATCH_SIZE - len(batch), timeout=0.2)
        if not records:
            break
        batch += records
    return batch


def event_of(record: Message) -> dict[str, Any]:
    """The event that a record carries."""
    if (error := record.error()) is not None:
        raise KafkaException(error)
    event: dict[str, Any] = json.loads(record.value() or b"{}")
    return event


class Recent:
    """The IDs seen last."""

    def __init__(self) -> None:
        self._ids: OrderedDict[str, None] = OrderedDict()

    def is_new(self, message_id: str) -> bool:
        """Whether the ID was not seen lately; it is from now on."""
        if message_id in self._ids:
            return False
        self._ids[message_id] = None
        if len(self._ids) > REMEMBERED:
            self._ids.popitem(last=False)
        return True


def main() -> None:
    """Count what is new in one transaction a batch, then commit the offset."""
    consumer, recent = subscribe(), Recent()
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            events = [event_of(record) for record in next_batch(consumer)]
            with connection.transaction():
                for event in events:
                    if recent.is_new(event["id"]):
                        connection.execute(COUNT_CLICK, [event["code"]])
            if events:
                consumer.commit(asynchronous=False)


if __name__ == "__main__":
    main()
