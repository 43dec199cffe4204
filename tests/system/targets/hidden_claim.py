"""Counts clicks per link and claims each batch in a store that killpoint does not see.

The claim is made between the writes and COMMIT; a batch that was claimed is passed over. So two
moments that leave the same rows and offsets differ: a crash after the claim loses the batch.
"""

import json
import os
import socket
from typing import TextIO, cast

import psycopg
from confluent_kafka import Consumer

COUNT = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""


def main() -> None:
    """Count until it is killed."""
    host, _, port = os.environ["STORE"].partition(":")
    store = cast(TextIO, socket.create_connection((host, int(port))).makefile("rw"))
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"],
            "group.id": os.environ["KILLPOINT_GROUP"],
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([os.environ["KILLPOINT_TOPIC"]])
    claimed = set(_asked(store, "claimed").split())
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        while True:
            clicks = consumer.consume(3, timeout=0.2)
            if not clicks:
                continue
            batch = f"{os.environ['KILLPOINT_GROUP']}-{clicks[0].offset()}"
            if batch not in claimed:
                with connection.transaction():
                    for click in clicks:
                        connection.execute(COUNT, [json.loads(click.value() or b"{}")["code"]])
                    _asked(store, batch)
            consumer.commit(asynchronous=False)


def _asked(store: TextIO, word: str) -> str:
    store.write(f"{word}\n")
    store.flush()
    return store.readline()


if __name__ == "__main__":
    main()
