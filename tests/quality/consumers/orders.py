"""The three orders of counting and saving, over each way of psycopg to talk to Postgres.

ORDER: count-then-save, save-then-count or offset-with-result. STORE: transaction, pool, autocommit
or pipeline. Clicks are counted in the order of their offsets, so that a batch has all partitions.
"""

import json
import os
from collections.abc import Callable

import psycopg
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Message, TopicPartition
from psycopg_pool import ConnectionPool

DATABASE = os.environ["DATABASE_URL"]
TOPICS = os.environ["TOPICS"].split()
ORDER = os.environ["ORDER"]
STORE = os.environ.get("STORE", "transaction")
PROTOCOL = os.environ.get("GROUP_PROTOCOL", "classic")
WINDOW = 16
BATCH_SIZE = 4

COUNT_CLICK = """
    insert into click_counts (code, clicks) values (%s, 1)
    on conflict (code) do update set clicks = click_counts.clicks + 1
"""
MOVE_OFFSET = """
    insert into consumer_offsets (topic, partition, next_offset) values (%s, %s, %s)
    on conflict (topic, partition) do update set next_offset = excluded.next_offset
"""
ALL_AT_ONCE = """
    with moved as (
        insert into consumer_offsets (topic, partition, next_offset)
        select * from unnest(%s::text[], %s::int[], %s::bigint[])
        on conflict (topic, partition) do update set next_offset = excluded.next_offset
    )
    insert into click_counts (code, clicks)
    select code, count(*) from unnest(%s::text[]) as code group by code
    on conflict (code) do update set clicks = click_counts.clicks + excluded.clicks
"""
READ_OFFSETS = "select topic, partition, next_offset from consumer_offsets"

Count = Callable[[list[str], list[TopicPartition]], None]
"""Counts the codes of a batch and moves the offsets, all or nothing."""


def statements(connection: psycopg.Connection, codes: list[str], to: list[TopicPartition]) -> None:
    """Send one statement for each click and each offset."""
    for code in codes:
        connection.execute(COUNT_CLICK, [code])
    for place in to:
        connection.execute(MOVE_OFFSET, [place.topic, place.partition, place.offset])


def in_transactions() -> Count:
    """An explicit transaction for each batch."""
    connection = psycopg.connect(DATABASE, autocommit=True)

    def count(codes: list[str], to: list[TopicPartition]) -> None:
        with connection.transaction():
            statements(connection, codes, to)

    return count


def in_pipelines() -> Count:
    """The same, its statements sent without waiting for answers."""
    connection = psycopg.connect(DATABASE, autocommit=True)

    def count(codes: list[str], to: list[TopicPartition]) -> None:
        with connection.pipeline(), connection.transaction():
            statements(connection, codes, to)

    return count


def from_pool() -> Count:
    """Each batch on a connection of a pool, which commits when it is given back."""
    pool = ConnectionPool(DATABASE, min_size=3, open=True)

    def count(codes: list[str], to: list[TopicPartition]) -> None:
        with pool.connection() as connection:
            statements(connection, codes, to)

    return count


def automatically() -> Count:
    """One statement for each batch, committed by itself."""
    connection = psycopg.connect(DATABASE, autocommit=True)

    def count(codes: list[str], to: list[TopicPartition]) -> None:
        places = [[p.topic for p in to], [p.partition for p in to], [p.offset for p in to]]
        connection.execute(ALL_AT_ONCE, [*places, codes])

    return count


STORES = {
    "transaction": in_transactions,
    "pipeline": in_pipelines,
    "pool": from_pool,
    "autocommit": automatically,
}


def start(consumer: Consumer, partitions: list[TopicPartition]) -> None:
    """Begin where the table says."""
    with psycopg.connect(DATABASE) as connection:
        known = {(topic, part): offset for topic, part, offset in connection.execute(READ_OFFSETS)}
    for place in partitions:
        place.offset = known.get((place.topic, place.partition), OFFSET_BEGINNING)
    if PROTOCOL == "consumer":
        consumer.incremental_assign(partitions)
    else:
        consumer.assign(partitions)


def subscribe() -> Consumer:
    """Join the group."""
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"],
            "group.id": os.environ["KILLPOINT_GROUP"],
            "group.protocol": PROTOCOL,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    if ORDER == "offset-with-result":
        consumer.subscribe(TOPICS, on_assign=start)
    else:
        consumer.subscribe(TOPICS)
    return consumer


def place_of(record: Message) -> tuple[int, str, int]:
    """Where a record stands, by offset first."""
    return (record.offset() or 0, record.topic() or "", record.partition() or 0)


def next_window(consumer: Consumer) -> list[Message]:
    """Collect up to WINDOW records, in the order of their offsets."""
    window: list[Message] = []
    while len(window) < WINDOW:
        records = consumer.consume(WINDOW - len(window), timeout=0.2)
        if not records:
            break
        for record in records:
            if (error := record.error()) is not None:
                raise KafkaException(error)
        window += records
    return sorted(window, key=place_of)


def after(batch: list[Message]) -> list[TopicPartition]:
    """The offsets after a batch, one for each of its partitions."""
    ends = {(topic, part): offset + 1 for offset, topic, part in map(place_of, batch)}
    return [TopicPartition(topic, part, offset) for (topic, part), offset in ends.items()]


def handle(consumer: Consumer, count: Count, batch: list[Message]) -> None:
    """One batch, in the order that is asked for."""
    codes = [str(json.loads(record.value() or b"{}")["code"]) for record in batch]
    match ORDER:
        case "count-then-save":
            count(codes, [])
            consumer.commit(offsets=after(batch), asynchronous=False)
        case "save-then-count":
            consumer.commit(offsets=after(batch), asynchronous=False)
            count(codes, [])
        case _:
            count(codes, after(batch))


def main() -> None:
    """Count batch after batch."""
    count, consumer = STORES[STORE](), subscribe()
    while True:
        window = next_window(consumer)
        for first in range(0, len(window), BATCH_SIZE):
            handle(consumer, count, window[first : first + BATCH_SIZE])


if __name__ == "__main__":
    main()
