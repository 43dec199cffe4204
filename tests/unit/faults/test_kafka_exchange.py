"""What a request and its answer share."""

from kio.schema.errors import ErrorCode

from killpoint.faults.wire.kafka_exchange import Conversation, Reading, error_name
from killpoint.faults.wire.kafka_topics import KafkaTopics


def test_errors_have_the_names_of_the_protocol_guide() -> None:
    assert error_name(ErrorCode.unknown_member_id) == "UNKNOWN_MEMBER_ID"


def test_conversations_share_their_topics_and_nothing_else() -> None:
    topics = KafkaTopics()
    one, other = Conversation(topics), Conversation(topics)
    one.fetching["t", 0] = 5
    one.members.add(("g", "m"))
    assert one.topics is other.topics
    assert (other.fetching, other.members) == ({}, set())


def test_a_reading_has_no_effect_unless_it_says_so() -> None:
    assert not Reading().effect
    assert not Reading().silent
