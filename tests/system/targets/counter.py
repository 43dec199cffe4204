"""A consumer that counts clicks per link, count then save, as its environment says.

The tests start it as a user's program: it knows nothing of killpoint.
"""

import json
import os
import socket

import psycopg
from confluent_kafka import Consumer

COUNT = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""


def main(kafka: str, database: str) -> None:
    """Count until it is killed.

    `WRITES=no`: it reads and saves the offset only. `GROUP`: its group, whatever it is told;
    `LISTEN`: a port that it keeps open.
    """
    port = os.environ.get("LISTEN")
    listener = socket.create_server(("127.0.0.1", int(port))) if port else None
    consumer = Consumer(
        {
            "bootstrap.servers": kafka,
            "group.id": os.environ.get("GROUP", os.environ["KILLPOINT_GROUP"]),
            "security.protocol": os.environ.get("SECURITY_PROTOCOL", "plaintext"),
            "auto.offset.reset": os.environ.get("OFFSET_RESET", "earliest"),
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([os.environ["KILLPOINT_TOPIC"]])
    with psycopg.connect(database, autocommit=True) as connection:
        while True:
            clicks = consumer.consume(3, timeout=0.2)
            codes = [json.loads(click.value() or b"{}")["code"] for click in clicks]
            if codes and os.environ.get("WRITES") != "no":
                with connection.transaction():
                    for code in codes:
                        connection.execute(COUNT, [code])
            if codes:
                consumer.commit(asynchronous=False)
            assert listener is None or listener.fileno() >= 0, "it was closed"


if __name__ == "__main__":
    main(os.environ["KAFKA_BOOTSTRAP_SERVERS"], os.environ["DATABASE_URL"])
