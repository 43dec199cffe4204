"""Names of topics by id."""

from uuid import UUID

from killpoint.faults.wire.kafka_topics import KafkaTopics

ID = UUID(int=7)


def test_a_name_stands_for_itself() -> None:
    assert KafkaTopics().name("clicks") == "clicks"


def test_an_id_is_named_once_learnt() -> None:
    topics = KafkaTopics()
    assert topics.name(ID) == str(ID)
    topics.learn(ID, "clicks")
    assert topics.name(ID) == "clicks"
