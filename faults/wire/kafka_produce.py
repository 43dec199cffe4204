"""Produce: how many records go where, and which offsets the broker gave them.

Requests, which carry the bulk, are walked by their headers (versions from 3); answers are decoded.
Sources: the protocol guide (Produce), KIP-98. Counterpart: `record_batch` walks the records.
"""

import struct
from typing import Final

from kio.schema.errors import ErrorCode

from killpoint.faults.events import Event, ProduceAnswered, ProduceAsked
from killpoint.faults.position import Span
from killpoint.faults.wire.kafka_codec import Message, flexible, topic_of
from killpoint.faults.wire.kafka_exchange import Conversation, Reading, error_name
from killpoint.faults.wire.kafka_topics import KafkaTopics, topic_key
from killpoint.faults.wire.record_batch import Batch, batches
from killpoint.faults.wire.walk import I32, Walk, length_of_bytes, skip_tags, string

PRODUCE: Final = 0
BY_ID: Final = 13
"""The first version that names topics by id."""
ACKS_TIMEOUT: Final = struct.Struct(">h4x")


def produce(conversation: Conversation, exchange: int, version: int) -> Walk[Reading]:
    """A request, from behind its correlation id."""
    compact = flexible(PRODUCE, version)
    yield from string(False)  # the client id
    yield from skip_tags(compact)
    transaction = yield from string(compact)
    (acks,) = ACKS_TIMEOUT.unpack((yield ACKS_TIMEOUT.size))
    topics = conversation.topics
    spans: list[Span] = []
    for _ in range((yield from length_of_bytes(compact))):
        yield from _topic(version, topics, spans)
    yield from skip_tags(compact)
    asked = tuple(spans)

    def answered(answer: Message) -> tuple[Event, ...]:
        given, errors = _given(asked, topics, answer)
        return (ProduceAnswered(exchange, transaction, given, errors),)

    events = (ProduceAsked(exchange, transaction, asked),)
    return Reading(events, answered, effect=acks != 0, silent=acks == 0)


def _topic(version: int, topics: KafkaTopics, spans: list[Span]) -> Walk[None]:
    compact = flexible(PRODUCE, version)
    key = yield from topic_key(version >= BY_ID, compact)
    for _ in range((yield from length_of_bytes(compact))):
        (partition,) = I32.unpack((yield 4))
        tally = Tally()
        yield from batches((yield from length_of_bytes(compact)), tally.add)
        spans.append(Span(topics.name(key), partition, 0, tally.records))
        yield from skip_tags(compact)
    yield from skip_tags(compact)


def _given(
    asked: tuple[Span, ...], topics: KafkaTopics, answer: Message
) -> tuple[tuple[Span, ...], tuple[str, ...]]:
    """The offsets that the broker gave, and the names of the errors."""
    counts = {span.place: span.next for span in asked}
    given: list[Span] = []
    errors: list[str] = []
    for topic in answer.responses:
        for one in topic.partition_responses:
            if one.error_code != ErrorCode.none:
                errors.append(error_name(one.error_code))
                continue
            span = Span(topics.name(topic_of(topic)), one.index, one.base_offset, one.base_offset)
            count = counts.get(span.place, 0)
            given.append(Span(span.topic, span.partition, span.first, span.first + count))
    return tuple(given), tuple(errors)


class Tally:
    """Counts the records of batches."""

    def __init__(self) -> None:
        self.records = 0

    def add(self, batch: Batch) -> None:
        """Count a batch in; a producer writes no control batches and leaves no gaps."""
        self.records += batch.records
