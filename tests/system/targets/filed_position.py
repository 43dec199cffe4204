"""Counts clicks per link and keeps its place in a file, ahead of what it has counted.

Each click is a transaction of its own. The place goes past a batch of two after its first click: a
crash before that counts the first twice, one after it loses the second. So what the file holds
belongs to the crash state, and no wire shows it.
"""

import json
import os
from pathlib import Path

import psycopg
from confluent_kafka import Consumer, Message, TopicPartition

PLACE = Path("place.txt")
BATCH = 2
COUNT = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""


def main() -> None:
    """Count until it is killed."""
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"],
            "group.id": os.environ["KILLPOINT_GROUP"],
            "enable.auto.commit": False,
        }
    )
    start = int(PLACE.read_text()) if PLACE.exists() else 0
    consumer.assign([TopicPartition(os.environ["KILLPOINT_TOPIC"], 0, start)])
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        while True:
            clicks: list[Message] = consumer.consume(BATCH, timeout=0.2)
            for index, click in enumerate(clicks):
                with connection.transaction():
                    connection.execute(COUNT, [json.loads(click.value() or b"{}")["code"]])
                if index == 0:
                    PLACE.write_text(str((clicks[-1].offset() or 0) + 1))


if __name__ == "__main__":
    main()
