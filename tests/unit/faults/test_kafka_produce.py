"""Produce: counts of records asked, offsets given, no answer for acks=0."""

import struct
from uuid import UUID

import pytest
from kio.schema.errors import ErrorCode

from killpoint.faults.events import EndTxnAnswered, ProduceAnswered, ProduceAsked
from killpoint.faults.position import Span
from killpoint.faults.wire.kafka_topics import KafkaTopics
from tests.support.kafka_talk import Talk, answer, batch, produce_answer, produce_request, request

ID = UUID(int=7)


def named(version: int) -> str | UUID:
    return ID if version >= 13 else "t"


def known() -> KafkaTopics:
    topics = KafkaTopics()
    topics.learn(ID, "t")
    return topics


@pytest.mark.parametrize("version", range(3, 14))
@pytest.mark.parametrize("transaction", ["tx", None])
def test_records_produced(version: int, transaction: str | None) -> None:
    talk, topic = Talk(known()), named(version)
    asked = talk.client(
        produce_request(version, [(topic, 2, batch(0, 3))], transactional_id=transaction)
    )
    said = talk.server(produce_answer(version, [(topic, 2, 40, ErrorCode.none)]))
    assert asked.events == (ProduceAsked(1, transaction, (Span("t", 2, 0, 3),)),)
    assert said.events == (ProduceAnswered(1, transaction, (Span("t", 2, 40, 43),), ()),)
    assert (asked.opens, said.closes) == ((1,), (1,))


def test_a_refused_partition_names_its_error() -> None:
    talk = Talk()
    talk.client(produce_request(9, [("t", 0, batch(0, 1)), ("t", 1, batch(0, 2))]))
    said = talk.server(
        produce_answer(
            9, [("t", 0, 8, ErrorCode.none), ("t", 1, -1, ErrorCode.invalid_producer_epoch)]
        )
    )
    assert said.events == (
        ProduceAnswered(1, None, (Span("t", 0, 8, 9),), ("INVALID_PRODUCER_EPOCH",)),
    )


def test_acks_0_has_no_answer() -> None:
    talk = Talk()
    asked = talk.client(produce_request(9, [("t", 0, batch(0, 1))], 1, acks=0))
    assert (len(asked.events), asked.opens) == (1, ())
    end = request(26, 5, 1, transactional_id="tx", producer_id=1, producer_epoch=0, committed=True)
    talk.client(end)
    assert talk.server(answer(26, 5, 1)).events == (EndTxnAnswered(2, "tx", True, None),)


def test_a_version_that_nobody_sends_passes() -> None:
    talk = Talk()
    frame = struct.pack(">ihhihhi", 16, 0, 2, 1, -1, 1, 1000)
    said = talk.client(frame)
    assert (said.data, said.events, said.opens) == (frame, (), ())


def test_bulk_is_counted_while_it_passes() -> None:
    talk = Talk()
    records = b"".join(batch(0, 10, size=1000) for _ in range(100))
    frame = produce_request(9, [("t", 0, records)])
    said = talk.client(*(frame[at : at + 5000] for at in range(0, len(frame), 5000)))
    assert said.data == frame
    assert len(said.pieces) > 10
    assert said.pieces[-1].events == (ProduceAsked(1, None, (Span("t", 0, 0, 1000),)),)
    assert said.pieces[-1].opens == (1,)
