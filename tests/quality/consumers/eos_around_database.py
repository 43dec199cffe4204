"""Kafka transaction around a database write: the offsets are in the one, the totals in the other.

ORDER says which is committed first: "database" counts twice what a crash between the two left,
"kafka" loses it.
"""

import json
import os
from typing import Any

import psycopg
from confluent_kafka import Consumer, KafkaException, Message, Producer, TopicPartition

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
DATABASE = os.environ["DATABASE_URL"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
GROUP = os.environ["KILLPOINT_GROUP"]
DATABASE_FIRST = os.environ["ORDER"] == "database"
BATCH_SIZE = 3

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


def send_offsets(producer: Producer, consumer: Consumer, batch: list[Message]) -> None:
    """Put the offset after the batch into the producer's transaction."""
    after = max((record.offset() or 0) + 1 for record in batch)
    places = [TopicPartition(TOPIC, 0, after)]
    producer.send_offsets_to_transaction(places, consumer.consumer_group_metadata())


def handle(
    connection: psycopg.Connection, producer: Producer, consumer: Consumer, batch: list[Message]
) -> None:
    """One batch in one transaction of each side."""
    producer.begin_transaction()
    for event in map(event_of, batch):
        connection.execute(COUNT_CLICK, [event["code"]])
    send_offsets(producer, consumer, batch)
    if DATABASE_FIRST:
        connection.commit()
        producer.commit_transaction()
    else:
        producer.commit_transaction()
        connection.commit()


def main() -> None:
    """Handle batch after batch."""
    producer = Producer({"bootstrap.servers": KAFKA, "transactional.id": GROUP})
    producer.init_transactions()
    consumer = subscribe()
    with psycopg.connect(DATABASE) as connection:
        while True:
            if batch := next_batch(consumer):
                handle(connection, producer, consumer, batch)


if __name__ == "__main__":
    main()
