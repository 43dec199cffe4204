"""Requests about offsets: committing them (also in a transaction), asking and looking for them.

Sources: the protocol guide (OffsetCommit, OffsetFetch, ListOffsets), KIP-98 and KIP-447
(TxnOffsetCommit). Counterpart: `kafka_apis` has the table of keys.
"""

from kio.schema.errors import ErrorCode

from killpoint.faults.events import (
    Event,
    GroupNamed,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    OffsetSought,
    TxnOffsetCommitAnswered,
    TxnOffsetCommitAsked,
)
from killpoint.faults.position import Position
from killpoint.faults.wire.kafka_codec import Message, topic_of
from killpoint.faults.wire.kafka_exchange import Conversation, Reading, error_name
from killpoint.faults.wire.kafka_topics import KafkaTopics


def offset_commit(conversation: Conversation, exchange: int, request: Message) -> Reading:
    """OffsetCommit."""
    group: str = request.group_id
    positions = _committed(conversation.topics, request)

    def answered(answer: Message) -> tuple[Event, ...]:
        taken, errors = _taken(positions, conversation.topics, answer)
        return (OffsetCommitAnswered(exchange, group, taken, errors),)

    asked = OffsetCommitAsked(exchange, group, positions)
    return Reading((GroupNamed(group), asked), answered, effect=True)


def txn_offset_commit(conversation: Conversation, exchange: int, request: Message) -> Reading:
    """TxnOffsetCommit: the offsets count when the transaction is committed."""
    transaction: str = request.transactional_id
    group: str = request.group_id
    positions = _committed(conversation.topics, request)

    def answered(answer: Message) -> tuple[Event, ...]:
        taken, errors = _taken(positions, conversation.topics, answer)
        return (TxnOffsetCommitAnswered(exchange, transaction, group, taken, errors),)

    asked = TxnOffsetCommitAsked(exchange, transaction, group, positions)
    return Reading((GroupNamed(group), asked), answered, effect=True)


def offset_fetch(_: Conversation, __: int, request: Message) -> Reading:
    """OffsetFetch; versions from 8 ask for several groups."""
    groups = getattr(request, "groups", None)
    names = (request.group_id,) if groups is None else tuple(one.group_id for one in groups)
    return Reading(tuple(GroupNamed(name) for name in names))


def list_offsets(conversation: Conversation, _: int, request: Message) -> Reading:
    """ListOffsets: what a consumer without a committed offset starts from."""
    return Reading(
        tuple(
            OffsetSought(
                conversation.topics.name(topic_of(topic)), one.partition_index, one.timestamp
            )
            for topic in request.topics
            for one in topic.partitions
        )
    )


def _committed(topics: KafkaTopics, request: Message) -> tuple[Position, ...]:
    return tuple(
        Position(topics.name(topic_of(topic)), one.partition_index, one.committed_offset)
        for topic in request.topics
        for one in topic.partitions
    )


def _taken(
    positions: tuple[Position, ...], topics: KafkaTopics, answer: Message
) -> tuple[tuple[Position, ...], tuple[str, ...]]:
    """Those of the positions that the broker took, and the names of the errors of the others."""
    taken: set[tuple[str, int]] = set()
    errors: list[str] = []
    for topic in answer.topics:
        name = topics.name(topic_of(topic))
        for one in topic.partitions:
            if one.error_code == ErrorCode.none:
                taken.add((name, one.partition_index))
            else:
                errors.append(error_name(one.error_code))
    kept = tuple(one for one in positions if (one.topic, one.partition) in taken)
    return kept, tuple(errors)
