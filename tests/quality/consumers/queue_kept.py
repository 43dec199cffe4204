"""Queue kept: one thread fetches, another counts; totals and offsets in one transaction.

Any crash of the whole leaves them right. When another instance dies the group is balanced anew, and
this one begins again where the table says: what still waits in its queue comes twice, unless
ON_REVOKE is "drop".
"""

import json
import os
import time
from collections import deque
from threading import Lock, Thread

import psycopg
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Message, TopicPartition

DATABASE = os.environ["DATABASE_URL"]
DROPS = os.environ.get("ON_REVOKE") == "drop"
BATCH_SIZE = 3
PREVIEW_SECONDS = 0.6

COUNT_CLICK = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""
MOVE_OFFSET = """
    insert into consumer_offsets (topic, partition, next_offset) values (%s, %s, %s)
    on conflict (topic, partition) do update set next_offset = excluded.next_offset
"""
READ_OFFSETS = "select topic, partition, next_offset from consumer_offsets"

waiting: deque[Message] = deque()
at_work = Lock()


def start(consumer: Consumer, partitions: list[TopicPartition]) -> None:
    """Begin where the table says."""
    with psycopg.connect(DATABASE) as connection:
        known = {(topic, part): offset for topic, part, offset in connection.execute(READ_OFFSETS)}
    for place in partitions:
        place.offset = known.get((place.topic, place.partition), OFFSET_BEGINNING)
    consumer.assign(partitions)


def stop(consumer: Consumer, partitions: list[TopicPartition]) -> None:
    """The partitions may go to another: finish the batch, and drop what waits if asked to."""
    if DROPS:
        with at_work:
            waiting.clear()
    consumer.unassign()


def count() -> None:
    """The worker: a batch at a time, with the offsets after it."""
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        while True:
            with at_work:
                batch = [waiting.popleft() for _ in range(min(BATCH_SIZE, len(waiting)))]
                if batch:
                    time.sleep(PREVIEW_SECONDS)
                    with connection.transaction():
                        for record in batch:
                            connection.execute(COUNT_CLICK, [code_of(record)])
                            place = (record.topic(), record.partition(), (record.offset() or 0) + 1)
                            connection.execute(MOVE_OFFSET, place)
            time.sleep(0.02)


def code_of(record: Message) -> str:
    """The link that was clicked."""
    return str(json.loads(record.value() or b"{}")["code"])


def main() -> None:
    """Fetch, and let the worker count."""
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"],
            "group.id": os.environ["KILLPOINT_GROUP"],
            "heartbeat.interval.ms": 200,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([os.environ["KILLPOINT_TOPIC"]], on_assign=start, on_revoke=stop)
    Thread(target=count, daemon=True).start()
    while True:
        record = consumer.poll(0.1)
        if record is None:
            continue
        if (error := record.error()) is not None:
            raise KafkaException(error)
        waiting.append(record)


if __name__ == "__main__":
    main()
