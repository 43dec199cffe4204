"""Fetch: positions of the whole session, spans of what the application gets."""

from uuid import UUID

import pytest
from kio.schema.errors import ErrorCode

from killpoint.faults.events import FetchAsked, RecordsFetched
from killpoint.faults.position import Position, Span
from killpoint.faults.wire.kafka_fetch import Delivered
from killpoint.faults.wire.kafka_topics import KafkaTopics
from killpoint.faults.wire.record_batch import CONTROL, TRANSACTIONAL, Batch
from tests.support.kafka_talk import Talk, batch, fetch_answer, fetch_request

ID = UUID(int=7)
VERSIONS = range(4, 19)


def named(version: int) -> str | UUID:
    return ID if version >= 13 else "t"


def known() -> KafkaTopics:
    topics = KafkaTopics()
    topics.learn(ID, "t")
    return topics


@pytest.mark.parametrize("version", VERSIONS)
def test_records_fetched(version: int) -> None:
    talk, topic = Talk(known()), named(version)
    asked = talk.client(fetch_request(version, [(topic, 0, 5), (topic, 1, 0)]))
    said = talk.server(
        fetch_answer(version, [(topic, 0, batch(5, 3) + batch(8, 2)), (topic, 1, b"")])
    )
    assert asked.events == (FetchAsked((Position("t", 0, 5), Position("t", 1, 0))),)
    assert said.events == (RecordsFetched(1, (Span("t", 0, 5, 10),)),)
    assert (asked.opens, said.closes) == ((), ())


@pytest.mark.parametrize("version", VERSIONS)
def test_an_answer_without_records_is_silent(version: int) -> None:
    talk, topic = Talk(known()), named(version)
    talk.client(fetch_request(version, [(topic, 0, 5)]))
    assert talk.server(fetch_answer(version, [(topic, 0, None)])).events == ()


def test_the_span_begins_where_it_was_asked() -> None:
    talk = Talk()
    talk.client(fetch_request(12, [("t", 0, 5)]))
    said = talk.server(fetch_answer(12, [("t", 0, batch(3, 4))]))
    assert said.events == (RecordsFetched(1, (Span("t", 0, 5, 7),)),)


def test_a_batch_before_the_position_holds_nothing() -> None:
    talk = Talk()
    talk.client(fetch_request(12, [("t", 0, 5)]))
    assert talk.server(fetch_answer(12, [("t", 0, batch(3, 2))])).events == ()


def test_control_batches_are_no_records() -> None:
    talk = Talk()
    talk.client(fetch_request(12, [("t", 0, 5)]))
    marker = batch(5, 1, attributes=CONTROL | TRANSACTIONAL)
    assert talk.server(fetch_answer(12, [("t", 0, marker)])).events == ()


def test_records_of_aborted_transactions_are_not_for_the_application() -> None:
    talk = Talk()
    talk.client(fetch_request(12, [("t", 0, 0)]))
    records = (
        batch(0, 2, attributes=TRANSACTIONAL, producer=9)  # aborted
        + batch(2, 1, attributes=CONTROL | TRANSACTIONAL, producer=9)
        + batch(3, 2, attributes=TRANSACTIONAL, producer=9)  # committed
        + batch(5, 1, attributes=CONTROL | TRANSACTIONAL, producer=9)
    )
    said = talk.server(fetch_answer(12, [("t", 0, records)], aborted=[(9, 0)]))
    assert said.events == (RecordsFetched(1, (Span("t", 0, 3, 5),)),)


def test_others_records_between_aborted_ones_are_delivered() -> None:
    delivered = Delivered(0, [(0, 9)])
    for one in (
        Batch(0, 1, 1, transactional=True, producer=9),
        Batch(1, 2, 1, transactional=True, producer=8),
        Batch(2, 3, 1),
    ):
        delivered.add(one)
    assert (delivered.first, delivered.next) == (1, 3)


def test_a_session_keeps_what_a_request_leaves_out() -> None:
    talk = Talk()
    talk.client(fetch_request(12, [("t", 0, 5), ("t", 1, 7)], 1, epoch=0))
    talk.server(fetch_answer(12, [], 1))
    later = talk.client(fetch_request(12, [("t", 0, 8)], 2, epoch=1))
    assert later.events == (FetchAsked((Position("t", 0, 8), Position("t", 1, 7))),)
    said = talk.server(fetch_answer(12, [("t", 1, batch(6, 3))], 2))
    assert said.events == (RecordsFetched(2, (Span("t", 1, 7, 9),)),)


def test_a_session_forgets_what_it_is_told_to() -> None:
    talk = Talk()
    talk.client(fetch_request(12, [("t", 0, 5), ("t", 1, 7)], 1, epoch=0))
    later = talk.client(fetch_request(12, [], 2, epoch=1, forgotten=[("t", 0)]))
    assert later.events == (FetchAsked((Position("t", 1, 7),)),)


@pytest.mark.parametrize("epoch", [0, -1])
def test_a_full_request_begins_anew(epoch: int) -> None:
    talk = Talk()
    talk.client(fetch_request(12, [("t", 0, 5)], 1, epoch=0))
    later = talk.client(fetch_request(12, [("t", 1, 7)], 2, epoch=epoch))
    assert later.events == (FetchAsked((Position("t", 1, 7),)),)


def test_an_error_of_the_session_resets_it() -> None:
    talk = Talk()
    talk.client(fetch_request(12, [("t", 0, 5)], 1, epoch=0))
    talk.server(fetch_answer(12, [], 1, error=ErrorCode.fetch_session_id_not_found))
    later = talk.client(fetch_request(12, [("t", 1, 7)], 2, epoch=1))
    assert later.events == (FetchAsked((Position("t", 1, 7),)),)


def test_an_unknown_topic_id_is_named_by_itself() -> None:
    talk = Talk()
    asked = talk.client(fetch_request(17, [(ID, 0, 0)]))
    said = talk.server(fetch_answer(17, [(ID, 0, batch(0, 1))]))
    assert asked.events == (FetchAsked((Position(str(ID), 0, 0),)),)
    assert said.events == (RecordsFetched(1, (Span(str(ID), 0, 0, 1),)),)
