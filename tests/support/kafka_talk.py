"""Kafka frames for conversations, made by kio's writers, and a listener for what a machine says."""

import io
import struct
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Any

from kio.index import load_request_schema, load_response_schema
from kio.schema.errors import ErrorCode
from kio.serial import entity_writer
from kio.static.primitive import Records, i32Timedelta

from killpoint.faults.events import Event
from killpoint.faults.wire.kafka import KafkaMachine
from killpoint.faults.wire.kafka_topics import KafkaTopics
from killpoint.faults.wire.piece import Piece

NO_TIME = i32Timedelta.parse(timedelta(0))


def build(kind: Any, **values: Any) -> Any:
    """An entity of a kio class from those of the values that this version of it knows."""
    known = {field.name for field in fields(kind)}
    return kind(**{name: value for name, value in values.items() if name in known})


def nested(payload: Any, name: str) -> Any:
    """A class that stands beside a payload class in its module, by its name."""
    return getattr(__import__(payload.__module__, fromlist=[name]), name)


def framed(header: Any, message: Any) -> bytes:
    """A frame with its length."""
    buffer = io.BytesIO()
    for entity in (header, message):
        kind: Any = entity.__class__
        entity_writer(kind)(buffer, entity)
    return struct.pack(">i", buffer.tell()) + buffer.getvalue()


def request_frame(message: Any, correlation: int = 1, client: str | None = "test") -> bytes:
    header = message.__header_schema__(
        request_api_key=message.__api_key__,
        request_api_version=message.__version__,
        correlation_id=correlation,
        client_id=client,
    )
    return framed(header, message)


def answer_frame(message: Any, correlation: int = 1) -> bytes:
    return framed(message.__header_schema__(correlation_id=correlation), message)


def request(key: int, version: int, correlation: int = 1, /, **values: Any) -> bytes:
    """A request frame; fields that this version does not know are left out."""
    return request_frame(build(load_request_schema(key, version), **values), correlation)


def answer(key: int, version: int, correlation: int = 1, /, **values: Any) -> bytes:
    """An answer frame; throttle time and error are none unless given."""
    given = {"throttle_time": NO_TIME, "error_code": ErrorCode.none, **values}
    return answer_frame(build(load_response_schema(key, version), **given), correlation)


def batch(
    first: int,
    records: int,
    *,
    size: int = 10,
    attributes: int = 0,
    producer: int = -1,
    last_delta: int | None = None,
) -> bytes:
    """A record batch of magic 2 by its header; `size` bytes stand for the records."""
    delta = records - 1 if last_delta is None else last_delta
    rest = struct.pack(
        ">ibIhiqqqhii", 0, 2, 0, attributes, delta, -1, -1, producer, -1, -1, records
    )
    return struct.pack(">qi", first, len(rest) + size) + rest + b"r" * size


def named_topic(kind: Any, topic: Any, **values: Any) -> Any:
    """An entry for a topic, named in whichever way this version names topics."""
    return build(kind, topic=topic, name=topic, topic_id=topic, **values)


def fetch_request(
    version: int,
    positions: Iterable[tuple[Any, int, int]],
    correlation: int = 1,
    *,
    epoch: int = -1,
    forgotten: Iterable[tuple[Any, int]] = (),
) -> bytes:
    """A Fetch of (topic or its id, partition, offset)."""
    payload: Any = load_request_schema(1, version)
    topic_kind, part_kind = nested(payload, "FetchTopic"), nested(payload, "FetchPartition")
    topics = tuple(
        named_topic(
            topic_kind,
            topic,
            partitions=(
                build(part_kind, partition=part, fetch_offset=at, partition_max_bytes=1 << 20),
            ),
        )
        for topic, part, at in positions
    )
    gone = tuple(
        named_topic(nested(payload, "ForgottenTopic"), topic, partitions=(part,))
        for topic, part in forgotten
    )
    message = build(
        payload,
        replica_id=-1,
        max_wait=NO_TIME,
        min_bytes=1,
        session_epoch=epoch,
        topics=topics,
        forgotten_topics_data=gone,
    )
    return request_frame(message, correlation)


def fetch_answer(
    version: int,
    records: Iterable[tuple[Any, int, bytes | None]],
    correlation: int = 1,
    *,
    error: ErrorCode = ErrorCode.none,
    aborted: Iterable[tuple[int, int]] | None = None,
) -> bytes:
    """An answer with (topic or its id, partition, records field); aborted (producer, offset)."""
    payload: Any = load_response_schema(1, version)
    aborted_kind = nested(payload, "AbortedTransaction")
    gone = (
        None
        if aborted is None
        else tuple(aborted_kind(producer_id=who, first_offset=at) for who, at in aborted)
    )
    topics = tuple(
        named_topic(
            nested(payload, "FetchableTopicResponse"),
            topic,
            partitions=(
                build(
                    nested(payload, "PartitionData"),
                    partition_index=part,
                    error_code=ErrorCode.none,
                    high_watermark=1000,
                    aborted_transactions=gone,
                    records=None if data is None else Records(data),
                ),
            ),
        )
        for topic, part, data in records
    )
    message = build(payload, throttle_time=NO_TIME, error_code=error, responses=topics)
    return answer_frame(message, correlation)


def produce_request(
    version: int,
    records: Iterable[tuple[Any, int, bytes]],
    correlation: int = 1,
    *,
    acks: int = -1,
    transactional_id: str | None = None,
) -> bytes:
    """A Produce of (topic or its id, partition, records field)."""
    payload: Any = load_request_schema(0, version)
    topics = tuple(
        named_topic(
            nested(payload, "TopicProduceData"),
            topic,
            partition_data=(
                nested(payload, "PartitionProduceData")(index=part, records=Records(data)),
            ),
        )
        for topic, part, data in records
    )
    message = build(
        payload,
        transactional_id=transactional_id,
        acks=acks,
        timeout=NO_TIME,
        topic_data=topics,
    )
    return request_frame(message, correlation)


def produce_answer(
    version: int,
    places: Iterable[tuple[Any, int, int, ErrorCode]],
    correlation: int = 1,
) -> bytes:
    """An answer with (topic or its id, partition, base offset, error)."""
    payload: Any = load_response_schema(0, version)
    topics = tuple(
        named_topic(
            nested(payload, "TopicProduceResponse"),
            topic,
            partition_responses=(
                build(
                    nested(payload, "PartitionProduceResponse"),
                    index=part,
                    error_code=error,
                    base_offset=base,
                    log_append_time=None,
                    record_errors=(),
                ),
            ),
        )
        for topic, part, base, error in places
    )
    return answer_frame(build(payload, throttle_time=NO_TIME, responses=topics), correlation)


@dataclass(frozen=True)
class Said:
    """What a machine made of some bytes."""

    pieces: tuple[Piece, ...]

    @property
    def data(self) -> bytes:
        return b"".join(piece.data for piece in self.pieces)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for piece in self.pieces for event in piece.events)

    @property
    def opens(self) -> tuple[int, ...]:
        return tuple(one for piece in self.pieces for one in piece.opens)

    @property
    def closes(self) -> tuple[int, ...]:
        return tuple(one for piece in self.pieces for one in piece.closes)


class Talk:
    """One connection: the client says, the server says, and what the machine makes of it."""

    def __init__(self, topics: KafkaTopics | None = None) -> None:
        self.machine = KafkaMachine(topics or KafkaTopics())

    def client(self, *parts: bytes) -> Said:
        return Said(tuple(piece for part in parts for piece in self.machine.to_server(part)))

    def server(self, *parts: bytes) -> Said:
        return Said(tuple(piece for part in parts for piece in self.machine.to_client(part)))
