"""Counts, then saves the offset in its database; after a restart it thinks before it works.

The offset has a transaction of its own, so a crash between the two counts a batch again: at least
once. What makes it hard: the recovery takes RECOVERY_SECONDS in which nothing is seen on the wire,
and the totals are right until it is over.
"""

import json
import os
import time

import psycopg
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, TopicPartition

TOPIC = os.environ["KILLPOINT_TOPIC"]
RECOVERY_SECONDS = float(os.environ["RECOVERY_SECONDS"])
BATCH = 3

COUNT = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""
SAVE = """
    insert into consumer_offsets (topic, partition, next_offset) values (%s, 0, %s)
    on conflict (topic, partition) do update set next_offset = excluded.next_offset
"""


def main() -> None:
    """Count until killed."""
    database = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
    saved = database.execute("select next_offset from consumer_offsets").fetchone()
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"],
            "group.id": os.environ["KILLPOINT_GROUP"],
            "enable.auto.commit": False,
        }
    )
    start = int(saved[0]) if saved is not None else OFFSET_BEGINNING
    consumer.assign([TopicPartition(TOPIC, 0, start)])
    recovering = saved is not None
    while True:
        batch = consumer.consume(BATCH, timeout=0.2)
        if not batch:
            continue
        if recovering:
            time.sleep(RECOVERY_SECONDS)
            recovering = False
        for record in batch:
            if (error := record.error()) is not None:
                raise KafkaException(error)
        with database.transaction():
            for record in batch:
                database.execute(COUNT, [json.loads(record.value() or b"{}")["code"]])
        with database.transaction():
            database.execute(SAVE, [TOPIC, (batch[-1].offset() or 0) + 1])


if __name__ == "__main__":
    main()
