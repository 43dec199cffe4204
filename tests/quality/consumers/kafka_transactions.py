"""Kafka transactions: consume, transform, produce; records and offsets are committed together.

Who reads the output committed only sees each event once, whatever crashed: exactly once.
"""

import os

from confluent_kafka import Consumer, KafkaException, Message, Producer, TopicPartition

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
GROUP = os.environ["KILLPOINT_GROUP"]
OUTPUT_TOPIC = os.environ["OUTPUT_TOPIC"]
BATCH_SIZE = 3


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


def transform(producer: Producer, consumer: Consumer, batch: list[Message]) -> None:
    """One batch in one transaction."""
    producer.begin_transaction()
    for record in batch:
        if (error := record.error()) is not None:
            raise KafkaException(error)
        producer.produce(OUTPUT_TOPIC, b'{"click": %b}' % (record.value() or b"{}"), record.key())
    after = max((record.offset() or 0) + 1 for record in batch)
    places = [TopicPartition(TOPIC, 0, after)]
    producer.send_offsets_to_transaction(places, consumer.consumer_group_metadata())
    producer.commit_transaction()


def main() -> None:
    """Transform batch after batch."""
    producer = Producer({"bootstrap.servers": KAFKA, "transactional.id": GROUP})
    producer.init_transactions()
    consumer = subscribe()
    while True:
        if batch := next_batch(consumer):
            transform(producer, consumer, batch)


if __name__ == "__main__":
    main()
