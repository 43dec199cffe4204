"""A consumer that counts clicks in one database and keeps each of them in another.

It refuses to start unless the server and the databases are as it expects them. The tests start it
as a user's program: it knows nothing of killpoint.
"""

import json
import os

import psycopg
from confluent_kafka import Consumer

COUNT = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""
KEEP = "insert into kept (code) values (%s)"
EXPECTED = {
    "show wal_level": "logical",
    "show max_prepared_transactions": "0",
    "select count(*) from pg_extension where extname = 'vector'": 1,
    "select count(*) from click_counts where clicks = 0": 1,
}


def main() -> None:
    """Count until it is killed."""
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"],
            "group.id": os.environ["KILLPOINT_GROUP"],
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    with (
        psycopg.connect(os.environ["COUNTS"], autocommit=True) as counts,
        psycopg.connect(os.environ["ARCHIVE"], autocommit=True) as archive,
    ):
        for query, wanted in EXPECTED.items():
            row = counts.execute(query.encode()).fetchone()
            if row != (wanted,):
                raise SystemExit(f"{query}: {row}, not {wanted}")
        consumer.subscribe(["clicks"])
        while True:
            clicks = consumer.consume(3, timeout=0.2)
            codes = [json.loads(click.value() or b"{}")["code"] for click in clicks]
            if codes:
                with counts.transaction():
                    for code in codes:
                        counts.execute(COUNT, [code])
                with archive.transaction():
                    for code in codes:
                        archive.execute(KEEP, [code])
                consumer.commit(asynchronous=False)


if __name__ == "__main__":
    main()
