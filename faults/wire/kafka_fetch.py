"""Fetch: which offsets were asked for, and which records the answer holds.

Requests are decoded; answers, which carry the bulk, are walked by their headers (versions 4 to 18).
Sources: the protocol guide (Fetch), KIP-227 (fetch sessions leave out what did not change), KIP-98
(records of aborted transactions are in the answer, but not for a consumer that reads committed).
Counterpart: `record_batch` walks the records.
"""

import struct
from typing import Final

from killpoint.faults.events import Event, FetchAsked, RecordsFetched
from killpoint.faults.position import Position, Span
from killpoint.faults.wire.kafka_codec import Message, flexible, topic_of
from killpoint.faults.wire.kafka_exchange import Conversation, Reading
from killpoint.faults.wire.kafka_topics import KafkaTopics, TopicKey, topic_key
from killpoint.faults.wire.record_batch import Batch, batches
from killpoint.faults.wire.walk import Walk, length_of_bytes, skip_tags

FETCH: Final = 1
BY_ID: Final = 13
"""The first version that names topics by id."""
THROTTLE: Final = 4
THROTTLE_ERROR_SESSION: Final = struct.Struct(">4xh4x")
PARTITION_V4: Final = struct.Struct(">ihqq")
"""Partition, error, high watermark, last stable offset; from version 5 the log's start as well."""
PARTITION_V5: Final = struct.Struct(">ihqq8x")
ABORTED: Final = struct.Struct(">qq")

Asked = dict[tuple[TopicKey, int], int]
"""The next offset asked for of each partition."""


def fetch(conversation: Conversation, exchange: int, request: Message) -> Reading:
    """Fetch: brings the session up to date and says all positions of it."""
    fetching = conversation.fetching
    if getattr(request, "session_epoch", -1) <= 0:  # a full request: no session, or a new one
        fetching.clear()
    for topic in getattr(request, "forgotten_topics_data", ()):
        for partition in topic.partitions:
            fetching.pop((topic_of(topic), partition), None)
    for topic in request.topics:
        for one in topic.partitions:
            fetching[topic_of(topic), one.partition] = one.fetch_offset
    asked = dict(fetching)
    names = conversation.topics
    positions = tuple(Position(names.name(key), part, at) for (key, part), at in asked.items())
    version: int = request.__version__
    return Reading(
        (FetchAsked(positions),), walked=lambda: _answer(conversation, exchange, version, asked)
    )


def _answer(
    conversation: Conversation, exchange: int, version: int, asked: Asked
) -> Walk[tuple[Event, ...]]:
    """An answer, from behind its correlation id."""
    compact = flexible(FETCH, version)
    yield from skip_tags(compact)
    if version < 7:
        yield -THROTTLE
    else:
        (error,) = THROTTLE_ERROR_SESSION.unpack((yield THROTTLE_ERROR_SESSION.size))
        if error:  # of the whole answer: the client gives its session up
            conversation.fetching.clear()
    spans: list[Span] = []
    for _ in range((yield from length_of_bytes(compact))):
        yield from _topic(version, asked, conversation.topics, spans)
    yield from skip_tags(compact)
    return (RecordsFetched(exchange, tuple(spans)),) if spans else ()


def _topic(version: int, asked: Asked, topics: KafkaTopics, spans: list[Span]) -> Walk[None]:
    compact = flexible(FETCH, version)
    key = yield from topic_key(version >= BY_ID, compact)
    for _ in range((yield from length_of_bytes(compact))):
        partition, delivered = yield from _partition(version, key, asked)
        if delivered.next is not None:
            spans.append(Span(topics.name(key), partition, delivered.first, delivered.next))
        yield from skip_tags(compact)
    yield from skip_tags(compact)


def _partition(version: int, key: TopicKey, asked: Asked) -> "Walk[tuple[int, Delivered]]":
    compact = flexible(FETCH, version)
    head = PARTITION_V4 if version < 5 else PARTITION_V5
    partition, _, _, _ = head.unpack((yield head.size))
    aborted: list[tuple[int, int]] = []
    for _ in range((yield from length_of_bytes(compact))):
        producer, first = ABORTED.unpack((yield ABORTED.size))
        aborted.append((first, producer))
        yield from skip_tags(compact)
    if version >= 11:
        yield -4  # the preferred read replica
    delivered = Delivered(asked.get((key, partition), 0), aborted)
    yield from batches((yield from length_of_bytes(compact)), delivered.add)
    return partition, delivered


class Delivered:
    """The span of those records of a partition that the application gets.

    An answer begins with the whole batch that holds the offset asked for; clients drop what stands
    before it. `aborted` (first offset, producer) is given only to consumers that read committed.
    """

    def __init__(self, asked: int, aborted: list[tuple[int, int]]) -> None:
        self.first = asked
        self.next: int | None = None
        self._asked = asked
        self._to_come = sorted(aborted, reverse=True)
        self._aborting: set[int] = set()

    def add(self, batch: Batch) -> None:
        """Count a batch in, unless it holds nothing for the application."""
        if batch.control:  # the marker that ends its producer's transaction
            self._aborting.discard(batch.producer)
            return
        while self._to_come and self._to_come[-1][0] < batch.next:
            self._aborting.add(self._to_come.pop()[1])
        if batch.transactional and batch.producer in self._aborting:
            return
        if batch.records <= 0 or batch.next <= self._asked:
            return
        if self.next is None:
            self.first = max(batch.first, self._asked)
        self.next = batch.next
