"""Pool, highest offset: four workers tell what they have done, the highest offset of it is saved.

No worker waits for another, and no click takes longer than the others by itself: only a crash while
one of them happens to be slow loses its click.
"""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import psycopg
from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
DATABASE = os.environ["DATABASE_URL"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
GROUP = os.environ["KILLPOINT_GROUP"]
WORKERS = 4

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


def work(record: Message, finished: SimpleQueue[int]) -> None:
    """Count one click in a transaction of its own, then tell the offset after it."""
    event = json.loads(record.value() or b"{}")
    with psycopg.connect(DATABASE) as connection:
        connection.execute(COUNT_CLICK, [event["code"]])
    finished.put((record.offset() or 0) + 1)


def save_highest(consumer: Consumer, finished: SimpleQueue[int], highest: int) -> int:
    """Commit the highest offset told, if it is higher than that before; returns the highest."""
    told = [highest]
    while not finished.empty():
        told.append(finished.get())
    if max(told) > highest:
        consumer.commit(offsets=[TopicPartition(TOPIC, 0, max(told))], asynchronous=False)
    return max(told)


def main() -> None:
    """Hand each click to the pool."""
    consumer = subscribe()
    finished: SimpleQueue[int] = SimpleQueue()
    highest = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        while True:
            highest = save_highest(consumer, finished, highest)
            record = consumer.poll(0.02)
            if record is None:
                continue
            if (error := record.error()) is not None:
                raise KafkaException(error)
            pool.submit(work, record, finished)


if __name__ == "__main__":
    main()
