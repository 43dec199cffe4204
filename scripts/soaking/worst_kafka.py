"""The worst legal Kafka frames: huge Metadata, 50 MB of records, very many requests in flight."""

from functools import partial
from typing import Any, Final
from uuid import UUID

from kio.index import load_response_schema
from kio.schema.errors import ErrorCode
from scripts.soaking.memory import MIB
from scripts.soaking.worst_case import Case, Spoken, counted

from killpoint.faults.events import Event, RecordsFetched
from killpoint.faults.position import Span
from killpoint.faults.wire.kafka import KafkaMachine
from killpoint.faults.wire.kafka_topics import KafkaTopics
from tests.support.kafka_talk import (
    answer,
    batch,
    build,
    fetch_answer,
    fetch_request,
    nested,
    request,
)

PARTITIONS: Final = 10_000
RECORDS: Final = 50_000_000
RECORDS_A_BATCH: Final = 10
IN_FLIGHT: Final = 4_000
METADATA: Final = (3, 13)
ASKED: Final = {
    "allow_auto_topic_creation": False,
    "include_topic_authorized_operations": False,
}
FETCH: Final = 17


def _machine() -> KafkaMachine:
    return KafkaMachine(KafkaTopics())


def _topic_id(number: int) -> UUID:
    return UUID(int=number + 1)


def _metadata(topics: int, partitions: int) -> list[tuple[bool, bytes]]:
    """A Metadata request and its answer; every partition has three replicas."""
    payload: Any = load_response_schema(*METADATA)
    topic_kind = nested(payload, "MetadataResponseTopic")
    part_kind = nested(payload, "MetadataResponsePartition")
    parts = tuple(
        build(
            part_kind,
            error_code=ErrorCode.none,
            partition_index=number,
            leader_id=1,
            leader_epoch=7,
            replica_nodes=(1, 2, 3),
            isr_nodes=(1, 2, 3),
            offline_replicas=(),
        )
        for number in range(partitions)
    )
    entries = tuple(
        build(
            topic_kind,
            error_code=ErrorCode.none,
            name=f"topic-{number}",
            topic_id=_topic_id(number),
            is_internal=False,
            partitions=parts,
            topic_authorized_operations=0,
        )
        for number in range(topics)
    )
    asked = request(*METADATA, topics=None, **ASKED)
    told = answer(*METADATA, brokers=(), cluster_id="c", controller_id=1, topics=entries)
    return [(True, asked), (False, told)]


def _metadata_then_fetch(size: int, *, topics_grow: bool) -> Spoken:
    """A Metadata answer, then a fetch of the last topic by the id that only that answer told."""
    topics, partitions = (size, 1) if topics_grow else (1, size)
    last = topics - 1
    said = _metadata(topics, partitions)
    said += [
        (True, fetch_request(FETCH, [(_topic_id(last), 0, 5)], 2)),
        (False, fetch_answer(FETCH, [(_topic_id(last), 0, batch(5, 3))], 2)),
    ]
    return Spoken(said, [Span(f"topic-{last}", 0, 5, 8)])


def _one_batch(size: int) -> Spoken:
    """All records in one batch, as large as a producer may make it."""
    return _fetched(batch(0, 1000, size=size), 1000)


def _many_batches(size: int) -> Spoken:
    """The same bytes in batches of about a kilobyte."""
    number = size // 1000
    field = b"".join(
        batch(at * RECORDS_A_BATCH, RECORDS_A_BATCH, size=1000 - 61) for at in range(number)
    )
    return _fetched(field, number * RECORDS_A_BATCH)


def _fetched(field: bytes, end: int) -> Spoken:
    asked = fetch_request(4, [("clicks", 0, 0)])
    return Spoken(
        [(True, asked), (False, fetch_answer(4, [("clicks", 0, field)]))],
        [Span("clicks", 0, 0, end)],
    )


def _many_partitions(size: int) -> Spoken:
    """One fetch of so many partitions, each with a batch."""
    asked = fetch_request(4, [("clicks", part, 0) for part in range(size)])
    told = fetch_answer(4, [("clicks", part, batch(0, 2)) for part in range(size)])
    return Spoken([(True, asked), (False, told)], [Span("clicks", p, 0, 2) for p in range(size)])


def _in_flight(size: int) -> Spoken:
    """So many ends of transactions before the first answer."""
    asked = b"".join(_end_txn(number) for number in range(1, size + 1))
    told = b"".join(answer(26, 3, number) for number in range(1, size + 1))
    return Spoken([(True, asked), (False, told)], {"EndTxnAsked": size, "EndTxnAnswered": size})


def _end_txn(number: int) -> bytes:
    values = {"transactional_id": "tx", "committed": True, "producer_id": 1, "producer_epoch": 0}
    return request(26, 3, number, **values)


def _spans(events: list[Event]) -> list[Span]:
    found = [event for event in events if isinstance(event, RecordsFetched)]
    return [span for event in found for span in event.spans]


KAFKA: Final = (
    Case(
        "Metadata of one topic",
        PARTITIONS,
        "partitions",
        32 * MIB,
        _machine,
        partial(_metadata_then_fetch, topics_grow=False),
        _spans,
    ),
    Case(
        "Metadata of many topics",
        PARTITIONS,
        "topics",
        48 * MIB,
        _machine,
        partial(_metadata_then_fetch, topics_grow=True),
        _spans,
    ),
    Case("a Fetch of one batch", RECORDS, "bytes", 4 * MIB, _machine, _one_batch, _spans),
    Case(
        "a Fetch of small batches",
        RECORDS,
        "bytes",
        8 * MIB,
        _machine,
        _many_batches,
        _spans,
    ),
    Case("a Fetch", PARTITIONS, "partitions", 32 * MIB, _machine, _many_partitions, _spans),
    Case("requests in flight", IN_FLIGHT, "requests", 32 * MIB, _machine, _in_flight, counted),
)
