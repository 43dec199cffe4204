"""Names of topics by their id (KIP-516), learnt from Metadata answers.

One map serves all connections of an edge: a client learns ids on one connection and fetches on
another. Ids are never reused, so nothing is ever forgotten.
"""

from uuid import UUID

from killpoint.faults.wire.walk import Walk, string

TopicKey = str | UUID
"""How a request names a topic: by name, or by id (Fetch v13, Produce v13, OffsetCommit v10)."""


class KafkaTopics:
    """The map from topic id to name."""

    def __init__(self) -> None:
        self._names: dict[UUID, str] = {}

    def learn(self, topic: UUID, name: str) -> None:
        """Remember the name of an id."""
        self._names[topic] = name

    def name(self, topic: TopicKey) -> str:
        """The name; of an id never heard of, the id itself as text."""
        if isinstance(topic, str):
            return topic
        return self._names.get(topic, str(topic))


def topic_key(by_id: bool, compact: bool) -> Walk[TopicKey]:
    """How an entry of a frame names its topic."""
    if by_id:
        return UUID(bytes=(yield 16))
    return (yield from string(compact)) or ""
