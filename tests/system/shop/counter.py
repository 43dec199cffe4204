"""Counts clicks per link; Redis remembers which ones were seen, so that none counts twice.

That a click was seen is remembered before it is counted: a crash in between loses it. So the right
verdict is "at most once", provided Redis starts empty each time. It knows nothing of killpoint.
"""

import json
import os
import socket
from pathlib import Path

import psycopg
from confluent_kafka import Consumer

COUNT = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""
STARTS = Path("/state/starts")


def main() -> None:
    """Count until it is killed. /state is a volume, which a crash leaves as it is."""
    lives = len(STARTS.read_text("utf-8")) if STARTS.exists() else 0
    print(f"life {lives + 1} with this volume", flush=True)
    with STARTS.open("a", encoding="utf-8") as starts:
        starts.write(".")
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["BROKERS"],
            "group.id": "shop-counter",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe(["clicks"])
    host, _, port = os.environ["SEEN"].partition(":")
    with (
        socket.create_connection((host, int(port))) as redis,
        psycopg.connect(os.environ["STORE"], autocommit=True) as connection,
    ):
        while True:
            clicks = consumer.consume(3, timeout=0.2)
            new = [
                click for click in clicks if first(redis, f"{click.partition()}:{click.offset()}")
            ]
            if new:
                with connection.transaction():
                    for click in new:
                        connection.execute(COUNT, [json.loads(click.value() or b"{}")["code"]])
            if clicks:
                consumer.commit(asynchronous=False)


def first(redis: socket.socket, name: str) -> bool:
    """Whether this is the first time that the name is set (the Redis protocol, inline form)."""
    redis.sendall(f"SET seen:{name} 1 NX\r\n".encode())
    return redis.recv(64).startswith(b"+OK")


if __name__ == "__main__":
    main()
