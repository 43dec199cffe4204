"""A consumer that counts and then saves its offset, with one odd habit, named by HABIT.

crash      ends with an error after each batch that it has read, before it writes
poison     ends with an error at the click on link-4, every time
drop       drops and makes its table anew whenever it starts
truncate   empties its table whenever it starts
memory     keeps the rows in memory until a hundred have come
collect    saves the offset at once and keeps the rows in memory: until five have come, HOLD_SECONDS
           have passed since the last were written, or it is told to stop
latest     starts at the end of the topic when its group has no offset
slow       writes each click by one autocommit statement that takes 700 ms
skip       leaves out the click on link-4, every time
random     writes rows of nothing but random values
elsewhere  keeps a connection to another system and a journal in a file, both named by variables
"""

import json
import os
import signal
import socket
import sys
from pathlib import Path
from threading import Event
from time import monotonic

import psycopg
from confluent_kafka import Consumer, KafkaException

HABIT = os.environ["HABIT"]
BATCH = 1 if HABIT in ("slow", "collect") else 3
FLUSH = {"memory": 100, "collect": 5}.get(HABIT, 1)
HOLD_SECONDS = float(os.environ.get("HOLD_SECONDS", "inf"))
POISON = "link-4"

COUNT = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""
SLOW = """
    insert into click_counts (code, clicks) select %s, 1 from (select pg_sleep(0.7)) as slept
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""
RANDOM = "insert into click_counts (code, clicks) values (gen_random_uuid()::text, 1e9 * random())"
TABLE = "create table click_counts (code text primary key, clicks bigint not null)"


class Journal:
    """A file and a connection that are kept open."""

    def __init__(self) -> None:
        self._other = socket.create_connection(("127.0.0.1", int(os.environ["OTHER_PORT"])))
        self._file = Path(os.environ["JOURNAL"]).open("a")  # noqa: SIM115

    def note(self, offset: int | None) -> None:
        print(offset, file=self._file, flush=True)


def start(database: psycopg.Connection) -> None:
    """What some programs do before they begin."""
    if HABIT == "drop":
        database.execute("drop table click_counts")
        database.execute(TABLE)
    if HABIT == "truncate":
        database.execute("truncate click_counts")


def count(database: psycopg.Connection, codes: list[str]) -> None:
    if HABIT == "crash":
        sys.exit("cannot go on")
    if HABIT == "slow":
        database.execute(SLOW, codes)
        return
    with database.transaction():
        for code in codes:
            if HABIT == "poison" and code == POISON:
                sys.exit(f"cannot read {code}")
            if HABIT == "random":
                database.execute(RANDOM)
            elif HABIT != "skip" or code != POISON:
                database.execute(COUNT, [code])


def main() -> None:
    """Count until killed."""
    database = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
    start(database)
    journal = Journal() if HABIT == "elsewhere" else None
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"],
            "group.id": os.environ["KILLPOINT_GROUP"],
            "auto.offset.reset": "latest" if HABIT == "latest" else "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([os.environ["KILLPOINT_TOPIC"]])
    stopping = Event()
    if HABIT == "collect":
        signal.signal(signal.SIGTERM, lambda _number, _frame: stopping.set())
    kept: list[str] = []
    flushed = monotonic()
    while not stopping.is_set() or kept:
        batch = consumer.consume(BATCH, timeout=0.2)
        for record in batch:
            if (error := record.error()) is not None:
                raise KafkaException(error)
            kept.append(json.loads(record.value() or b"{}")["code"])
        if HABIT == "collect" and batch:
            consumer.commit(asynchronous=False)
        late = kept and monotonic() - flushed >= HOLD_SECONDS
        if len(kept) >= FLUSH or late or stopping.is_set():
            count(database, kept)
            if HABIT != "collect":
                consumer.commit(asynchronous=False)
            kept.clear()
            flushed = monotonic()
            if journal is not None:
                journal.note(batch[-1].offset())


if __name__ == "__main__":
    main()
