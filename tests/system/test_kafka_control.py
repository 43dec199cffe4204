"""Control of a real Kafka."""

import asyncio

import pytest
from confluent_kafka import Consumer, Producer

from killpoint.compose import kafka_reader
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.events import Joined
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.record import Record
from tests.support.reading import read_whole
from tests.support.stack import Stack


def record(topic: str, value: bytes | None, partition: int = 0) -> Record:
    return Record(topic, partition, 0, b"key", value)


async def test_records_are_read_as_they_were_produced(stack: Stack, name: str) -> None:
    await stack.broker.create_topics({name: 2})
    headers = (("a", b"1"), ("none", None), ("a", b"2"))
    sent = [
        Record(name, 0, 0, b"key", b"value", headers, 1_700_000_000_000),
        Record(name, 1, 0, None, None, (), 1_700_000_000_001),
        Record(name, 0, 0, b"", b"", (), 1_700_000_000_002),
    ]
    places = await stack.broker.produce(sent)
    assert places == [Position(name, 0, 0), Position(name, 1, 0), Position(name, 0, 1)]
    read = await read_whole(stack.broker, name)
    assert read == [
        sent[0],
        Record(name, 0, 1, b"", b"", (), 1_700_000_000_002),
        sent[1],
    ]


async def test_the_partitioner_chooses_and_a_timestamp_of_zero_is_now(
    stack: Stack, name: str
) -> None:
    await stack.broker.create_topics({name: 3})
    sent = [Record(name, -1, 0, b"k%d" % number, b"v") for number in range(30)]
    places = await stack.broker.produce(sent)
    assert {place.partition for place in places} == {0, 1, 2}
    read = await read_whole(stack.broker, name)
    assert {(r.partition, r.offset) for r in read} == {(p.partition, p.offset) for p in places}
    assert all(r.timestamp > 1_700_000_000_000 for r in read)


async def test_produce_right_after_create_never_lacks_a_place(stack: Stack, name: str) -> None:
    for number in range(5):
        topic = f"{name}-{number}"
        await stack.broker.create_topics({topic: 3})
        places = await stack.broker.produce([record(topic, b"v", n % 3) for n in range(12)])
        assert sorted(places) == [Position(topic, p, o) for p in range(3) for o in range(4)]


@pytest.mark.parametrize("last", ["committed", "aborted", "open"])
async def test_reading_ends_after_control_records(stack: Stack, name: str, last: str) -> None:
    await stack.broker.create_topics({name: 1})
    producer = Producer(
        {"bootstrap.servers": str(stack.broker.direct), "transactional.id": name, "log_level": 0}
    )

    def transact(value: bytes, end: str) -> None:
        producer.begin_transaction()
        producer.produce(name, value)
        producer.flush(10)
        if end == "committed":
            producer.commit_transaction(10)
        elif end == "aborted":
            producer.abort_transaction(10)

    await asyncio.to_thread(producer.init_transactions, 10)
    await asyncio.to_thread(transact, b"first", "aborted")
    await asyncio.to_thread(transact, b"second", "committed")
    await asyncio.to_thread(transact, b"third", last)
    try:
        read = await read_whole(stack.broker, name)
    finally:
        if last == "open":
            await asyncio.to_thread(producer.abort_transaction, 10)
    # The offsets between are those of the markers.
    expected = [(2, b"second")] + ([(4, b"third")] if last == "committed" else [])
    assert [(r.offset, r.value) for r in read] == expected


async def test_reading_what_is_empty_or_missing_gives_nothing(stack: Stack, name: str) -> None:
    await stack.broker.create_topics({name: 1})
    assert await read_whole(stack.broker, name, f"{name}-missing") == []


async def test_a_topic_is_given_in_batches_and_in_order(
    stack: Stack, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_reader, "BATCH", 4)
    sizes = {0: 3, 1: 9, 2: 1, 3: 2, 4: 0, 5: 1, 6: 4}
    await stack.broker.create_topics({name: len(sizes)})
    sent = [record(name, b"%d" % n, p) for p, size in sizes.items() for n in range(size)]
    await stack.broker.produce(sent)
    batches: list[list[Record]] = []
    await stack.broker.read([name], lambda batch: batches.append(list(batch)))
    assert [len(batch) for batch in batches] == [3, 4, 4, 1, 4, 4]
    found = [(r.partition, r.offset, r.value) for batch in batches for r in batch]
    assert found == [(p, n, b"%d" % n) for p, size in sizes.items() for n in range(size)]


async def test_offsets_of_a_group_that_does_not_exist_yet(stack: Stack, name: str) -> None:
    await stack.broker.create_topics({name: 2})
    assert await stack.broker.committed(name) == {}
    await stack.broker.commit_offsets(name, [Position(name, 0, 0), Position(name, 1, 7)])
    assert await stack.broker.committed(name) == {
        TopicPartition(name, 0): 0,
        TopicPartition(name, 1): 7,
    }
    await stack.broker.delete_group(name)
    assert await stack.broker.committed(name) == {}
    await stack.broker.delete_group(name)


async def test_topics_are_gone_when_deleted(stack: Stack, name: str) -> None:
    await stack.broker.create_topics({name: 1})
    await stack.broker.produce([record(name, b"old")])
    await stack.broker.delete_topics([name, f"{name}-missing"])
    await stack.broker.create_topics({name: 1})
    assert await read_whole(stack.broker, name) == []


async def test_a_topic_that_exists_is_refused(stack: Stack, name: str) -> None:
    await stack.broker.create_topics({name: 1})
    with pytest.raises(EnvironmentFailed, match="already exists"):
        await stack.broker.create_topics({name: 1})


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
async def test_a_removed_member_leaves_the_group_at_once(
    stack: Stack, name: str, protocol: str
) -> None:
    await stack.broker.create_topics({name: 1})
    await stack.broker.produce([record(name, b"v")])
    consumer = Consumer(
        {
            "bootstrap.servers": str(stack.broker.direct),
            "group.id": name,
            "group.protocol": protocol,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "log_level": 0,
        }
    )
    consumer.subscribe([name])
    assert await asyncio.to_thread(consumer.poll, 20) is not None
    with pytest.raises(EnvironmentFailed):
        await stack.broker.commit_offsets(name, [Position(name, 0, 1)])
    member = Joined(name, consumer.memberid(), None, protocol, 1)
    await stack.broker.remove_member(member)
    await stack.broker.commit_offsets(name, [Position(name, 0, 1)])
    assert await stack.broker.committed(name) == {TopicPartition(name, 0): 1}
    await stack.broker.remove_member(member)
    await asyncio.to_thread(consumer.close)
