"""The table of the Kafka APIs that killpoint reads: key, and how to read a request of it.

Keys: "API Keys" of the protocol guide. What is not here is passed on unread: ApiVersions above all,
whose answers have a layout of their own (KIP-511) and say nothing that is needed.
"""

from collections.abc import Callable, Mapping
from typing import Final
from uuid import UUID

from kio.schema.errors import ErrorCode

from killpoint.faults.events import Event, ForeignSpeech, TopicsSought
from killpoint.faults.wire.kafka_codec import Message
from killpoint.faults.wire.kafka_exchange import Conversation, Reading
from killpoint.faults.wire.kafka_fetch import FETCH, fetch
from killpoint.faults.wire.kafka_groups import (
    consumer_group_heartbeat,
    find_coordinator,
    join_group,
    leave_group,
    name_group,
    name_groups,
)
from killpoint.faults.wire.kafka_offsets import (
    list_offsets,
    offset_commit,
    offset_fetch,
    txn_offset_commit,
)
from killpoint.faults.wire.kafka_transactions import (
    add_offsets_to_txn,
    add_partitions_to_txn,
    end_txn,
    init_producer_id,
)

Read = Callable[[Conversation, int, Message], Reading]
"""Reads a decoded request; the number is that of the exchange."""


def metadata(conversation: Conversation, _: int, request: Message) -> Reading:
    """Metadata: requests name topics, or none (all of them); answers tell ids from version 10."""
    named = (topic.name for topic in request.topics or ())
    sought = frozenset(str(name) for name in named if name)

    def answered(answer: Message) -> tuple[Event, ...]:
        for topic in answer.topics:
            topic_id: UUID | None = getattr(topic, "topic_id", None)
            name: str | None = topic.name
            if topic_id is not None and name is not None and topic.error_code == ErrorCode.none:
                conversation.topics.learn(topic_id, name)
        return ()

    return Reading((TopicsSought(sought),) if sought else (), answered)


def sasl_handshake(_: Conversation, __: int, ___: Message) -> Reading:
    """SaslHandshake: the client wants to log in, which killpoint's broker does not ask for."""
    return Reading((ForeignSpeech("SASL"),))


APIS: Final[Mapping[int, Read]] = {
    FETCH: fetch,
    2: list_offsets,
    3: metadata,
    8: offset_commit,
    9: offset_fetch,
    10: find_coordinator,
    11: join_group,
    12: name_group,  # Heartbeat
    13: leave_group,
    14: name_group,  # SyncGroup
    15: name_groups,  # DescribeGroups
    17: sasl_handshake,
    22: init_producer_id,
    24: add_partitions_to_txn,
    25: add_offsets_to_txn,
    26: end_txn,
    28: txn_offset_commit,
    42: name_groups,  # DeleteGroups
    47: name_group,  # OffsetDelete
    68: consumer_group_heartbeat,
    69: name_groups,  # ConsumerGroupDescribe
    76: name_group,  # ShareGroupHeartbeat
    88: name_group,  # StreamsGroupHeartbeat
}
"""Produce is not here: its requests are walked, not decoded (`kafka_produce`)."""

EFFECTS: Final = frozenset({8, 13, 22, 24, 25, 26, 28})
"""Requests with an effect in the broker, also if they cannot be decoded. Produce: by its acks."""
