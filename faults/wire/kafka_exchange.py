"""One request and its answer: what is read from the first, and kept to read the second.

The rooms of one conversation share these types: `kafka_groups`, `kafka_offsets`,
`kafka_transactions`, `kafka_fetch` and `kafka_produce` read requests, `kafka` pairs the answers.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from kio.schema.errors import ErrorCode

from killpoint.faults.events import Event
from killpoint.faults.wire.kafka_codec import Message
from killpoint.faults.wire.kafka_topics import KafkaTopics, TopicKey
from killpoint.faults.wire.walk import Walk

Answered = Callable[[Message], tuple[Event, ...]]
"""Reads the decoded answer."""
Walked = Callable[[], Walk[tuple[Event, ...]]]
"""Walks an answer in bulk, from behind its correlation id."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a request says. `effect`: the broker does something that outlives the connection.

    Its answer is decoded for `answered`, or walked by `walked`; with neither it is of no interest.
    `silent` requests have no answer.
    """

    events: tuple[Event, ...] = ()
    answered: Answered | None = None
    walked: Walked | None = None
    effect: bool = False
    silent: bool = False


@dataclass(slots=True)
class Conversation:
    """What one connection has said so far that later frames refer to.

    `fetching`: the next offset of each partition of the fetch session (KIP-227).
    `members`: those that joined a group by heartbeats (KIP-848), with their group.
    """

    topics: KafkaTopics
    fetching: dict[tuple[TopicKey, int], int] = field(
        default_factory=dict[tuple[TopicKey, int], int]
    )
    members: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])


def error_name(code: ErrorCode) -> str:
    """The name of the protocol guide, for example UNKNOWN_MEMBER_ID."""
    return code.name.upper()
