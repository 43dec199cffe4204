"""The Kafka machine under any cut and any mutation; the walks against kio's decoding."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kio.schema.errors import ErrorCode

from killpoint.faults.events import Event, ProduceAnswered, ProduceAsked, RecordsFetched
from killpoint.faults.position import Span
from killpoint.faults.wire.kafka import KafkaMachine
from killpoint.faults.wire.kafka_codec import decode_answer, decode_request, topic_of
from killpoint.faults.wire.kafka_topics import KafkaTopics
from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.record_batch import CONTROL, Batch, batches
from killpoint.faults.wire.walk import Walker
from tests.support.feeding import feedings
from tests.support.kafka_talk import (
    Talk,
    answer,
    batch,
    fetch_answer,
    fetch_request,
    produce_answer,
    produce_request,
    request,
)

ID = UUID(int=7)
BULK = 70_000
"""Bytes of records that make a frame too large to be collected whole."""
PRODUCER = {"producer_id": 1, "producer_epoch": 0}
Exchange = tuple[bytes, bytes]


def topic_name(version: int) -> str | UUID:
    return ID if version >= 13 else "clicks"


@st.composite
def records(draw: st.DrawFn, largest: int) -> bytes:
    """A records field: batches with gaps, control batches, perhaps a partial one at the end."""
    offset = draw(st.integers(0, 50))
    field = b""
    for _ in range(draw(st.integers(0, 4))):
        count = draw(st.integers(0, 5))
        delta = count + draw(st.integers(0, 3))
        attributes = draw(st.sampled_from((0, 0, 0, CONTROL)))
        size = draw(st.sampled_from((0, 30, largest)))
        field += batch(offset, count, size=size, attributes=attributes, last_delta=delta)
        offset += delta + 1
    if draw(st.booleans()):
        field += batch(offset, 1)[: draw(st.integers(0, 70))]
    return field


@st.composite
def fetches(draw: st.DrawFn, correlation: int = 1, largest: int = BULK) -> Exchange:
    version = draw(st.integers(4, 18))
    topic = topic_name(version)
    asked = [(topic, part, draw(st.integers(0, 60))) for part in range(draw(st.integers(1, 3)))]
    given_back = [(topic, part, draw(records(largest))) for _, part, _ in asked]
    aborted = [(1, 0), (2, 5)] if draw(st.booleans()) else None
    return (
        fetch_request(version, asked, correlation),
        fetch_answer(version, given_back, correlation, aborted=aborted),
    )


@st.composite
def produces(draw: st.DrawFn, correlation: int = 1, largest: int = BULK) -> Exchange:
    version = draw(st.integers(3, 13))
    topic = topic_name(version)
    sent = [(topic, part, draw(records(largest))) for part in range(draw(st.integers(1, 3)))]
    acks = draw(st.sampled_from((-1, 0, 1)))
    transaction = draw(st.sampled_from((None, "tx")))
    asked = produce_request(version, sent, correlation, acks=acks, transactional_id=transaction)
    places = [(topic, part, 40, ErrorCode.none) for _, part, _ in sent]
    return asked, produce_answer(version, places, correlation) if acks else b""


@st.composite
def small_talk(draw: st.DrawFn, correlation: int, _: int) -> Exchange:
    group = draw(st.text(max_size=8))
    heartbeat = {"group_id": group, "generation_id": 1, "member_id": "m"}
    end = {"transactional_id": "tx", "committed": draw(st.booleans()), **PRODUCER}
    join: dict[str, Any] = {"group_id": group, "members": (), "member_id": "m"}
    key, version, values = draw(
        st.sampled_from(
            (
                (12, draw(st.integers(0, 4)), heartbeat),
                (13, draw(st.integers(0, 5)), join),
                (26, draw(st.integers(0, 5)), end),
            )
        )
    )
    asked = request(key, version, correlation, **values)
    return asked, answer(key, version, correlation, members=(), **PRODUCER)


@st.composite
def conversations(draw: st.DrawFn, largest: int = BULK) -> tuple[bytes, bytes]:
    """All that a client says, and all that the server answers."""
    numbers = range(draw(st.integers(1, 4)))
    talk = [
        draw(fetches(number, largest) | produces(number, largest) | small_talk(number, largest))
        for number in numbers
    ]
    return b"".join(asked for asked, _ in talk), b"".join(back for _, back in talk)


@dataclass
class Heard:
    """What came out of a machine in one direction, joined."""

    data: bytes
    events: tuple[Event, ...]
    opens: tuple[int, ...]
    closes: tuple[int, ...]


def heard(pieces: Iterable[Piece]) -> Heard:
    each = list(pieces)
    return Heard(
        b"".join(piece.data for piece in each),
        tuple(event for piece in each for event in piece.events),
        tuple(one for piece in each for one in piece.opens),
        tuple(one for piece in each for one in piece.closes),
    )


def hear(asked: Iterable[bytes], answered: Iterable[bytes]) -> tuple[Heard, Heard]:
    """Both directions, each to its end of file."""
    topics = KafkaTopics()
    topics.learn(ID, "clicks")
    machine = KafkaMachine(topics)
    said = heard(piece for part in (*asked, b"") for piece in machine.to_server(part))
    back = heard(piece for part in (*answered, b"") for piece in machine.to_client(part))
    return said, back


@st.composite
def cut(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """The bytes, split anywhere."""
    places = sorted(draw(st.lists(st.integers(0, len(data)), max_size=12)))
    borders = [0, *places, len(data)]
    parts = [data[a:b] for a, b in pairwise(borders)]
    return [part for part in parts if part]


@given(conversations(), st.data())
@settings(deadline=None)
def test_split_anywhere(talk: tuple[bytes, bytes], data: st.DataObject) -> None:
    whole = hear([talk[0]], [talk[1]])
    assert (whole[0].data, whole[1].data) == talk
    assert whole[0].events
    assert hear(data.draw(cut(talk[0])), data.draw(cut(talk[1]))) == whole


@given(conversations(largest=300))
@settings(deadline=None, max_examples=30)
def test_whole_byte_by_byte_and_in_odd_parts(talk: tuple[bytes, bytes]) -> None:
    whole = hear([talk[0]], [talk[1]])
    for asked, answered in zip(feedings(talk[0]), feedings(talk[1]), strict=True):
        assert hear(asked, answered) == whole


@given(conversations(), st.binary(min_size=1, max_size=40))
@settings(deadline=None)
def test_trailing_bytes(talk: tuple[bytes, bytes], rest: bytes) -> None:
    alone = hear([talk[0]], [talk[1]])
    said, back = hear([talk[0] + rest], [talk[1] + rest])
    assert (said.data, back.data) == (talk[0] + rest, talk[1] + rest)
    assert said.events[: len(alone[0].events)] == alone[0].events
    assert back.events[: len(alone[1].events)] == alone[1].events


@st.composite
def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    """The bytes with some of them changed, cut out or put in, most often near a border."""
    changed = bytearray(data)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, min(len(changed), 200)) | st.integers(0, len(changed)))
        new = draw(st.binary(max_size=5) | st.sampled_from((b"\xff" * 4, b"\xff\xff\xff\xff\x0f")))
        changed[at : at + draw(st.integers(0, 5))] = new
    return bytes(changed)


@given(conversations(), st.data())
@settings(deadline=None, max_examples=200)
def test_mutated_streams_pass_unchanged(talk: tuple[bytes, bytes], data: st.DataObject) -> None:
    asked, answered = data.draw(mutated(talk[0])), data.draw(mutated(talk[1]))
    whole = hear([asked], [answered])
    assert (whole[0].data, whole[1].data) == (asked, answered)
    assert hear(data.draw(cut(asked)), data.draw(cut(answered))) == whole


@given(st.binary(max_size=300), st.binary(max_size=300), st.data())
@settings(deadline=None)
def test_any_bytes_pass_unchanged(asked: bytes, answered: bytes, data: st.DataObject) -> None:
    said, back = hear(data.draw(cut(asked)), data.draw(cut(answered)))
    assert (said.data, back.data) == (asked, answered)


def whole_batches(field: bytes | None) -> list[Batch]:
    found: list[Batch] = []
    walker = Walker(batches(len(field or b""), found.append))
    walker.feed(memoryview(field or b""))
    return found


def fetched_by_kio(version: int, asked: bytes, answered: bytes) -> list[Span]:
    """The spans of a Fetch answer without aborted transactions, from kio's decoding."""
    positions = {
        (topic_of(topic), one.partition): one.fetch_offset
        for topic in decode_request(1, version, asked[4:]).topics
        for one in topic.partitions
    }
    spans: list[Span] = []
    for topic in decode_answer(1, version, answered[4:]).responses:
        for one in topic.partitions:
            at: int = positions[topic_of(topic), one.partition_index]
            data = [
                (max(found.first, at), found.next)
                for found in whole_batches(one.records)
                if found.records > 0 and not found.control and found.next > at
            ]
            if data:
                spans.append(Span("clicks", one.partition_index, data[0][0], data[-1][1]))
    return spans


def test_bulk_byte_by_byte() -> None:
    asked = fetch_request(17, [(ID, 0, 2)])
    answered = fetch_answer(17, [(ID, 0, batch(0, 4, size=BULK) + batch(4, 1))])
    whole = hear([asked], [answered])
    assert whole[1].events == (RecordsFetched(1, (Span("clicks", 0, 2, 5),)),)
    for parts in feedings(answered):
        assert hear([asked], parts) == whole


def version_of(frame: bytes) -> int:
    return int.from_bytes(frame[6:8], "big")


@given(fetches())
@settings(deadline=None, max_examples=200)
def test_the_walk_of_fetch_answers_agrees_with_kio(exchange: Exchange) -> None:
    asked, answered = exchange
    _, back = hear([asked], [answered])
    spans = fetched_by_kio(version_of(asked), asked, answered)
    assert back.events == ((RecordsFetched(1, tuple(spans)),) if spans else ())


@given(produces())
@settings(deadline=None, max_examples=200)
def test_the_walk_of_produce_requests_agrees_with_kio(exchange: Exchange) -> None:
    asked, _ = exchange
    message = decode_request(0, version_of(asked), asked[4:])
    spans = tuple(
        Span("clicks", one.index, 0, sum(found.records for found in whole_batches(one.records)))
        for topic in message.topic_data
        for one in topic.partition_data
    )
    said, back = hear([asked], [exchange[1]])
    assert said.events == (ProduceAsked(1, message.transactional_id, spans),)
    assert said.opens == ((1,) if message.acks else ())
    answers = [event for event in back.events if isinstance(event, ProduceAnswered)]
    assert len(answers) == (1 if message.acks else 0)


@pytest.mark.parametrize("version", [4, 12, 18])
def test_bulk_costs_no_memory(version: int) -> None:
    """Of a large frame only what is needed next is kept, whatever its size."""
    talk = Talk()
    topic = topic_name(version)
    talk.client(fetch_request(version, [(topic, 0, 0)]))
    frame = fetch_answer(version, [(topic, 0, batch(0, 5, size=3_000_000))])
    for at in range(0, len(frame), 50_000):
        part = frame[at : at + 50_000]
        assert [piece.data for piece in talk.machine.to_client(part)] == [part]
