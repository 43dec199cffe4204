"""The table of APIs: ids learnt from Metadata, shared by the connections of an edge."""

from typing import Any
from uuid import UUID

import pytest
from kio.index import load_response_schema
from kio.schema.errors import ErrorCode
from kio.schema.index import api_key_map

from killpoint.faults.wire.kafka_apis import APIS, EFFECTS
from killpoint.faults.wire.kafka_topics import KafkaTopics
from tests.support.kafka_talk import Talk, answer, build, nested, request

ID = UUID(int=7)


def learnt(version: int, error: ErrorCode = ErrorCode.none, name: str | None = "t") -> str:
    """What an id is called after a Metadata answer."""
    topics = KafkaTopics()
    talk = Talk(topics)
    kind: Any = nested(load_response_schema(3, version), "MetadataResponseTopic")
    topic = build(kind, error_code=error, name=name, topic_id=ID, partitions=(), is_internal=False)
    asked: dict[str, Any] = {
        "topics": (),
        "allow_auto_topic_creation": True,
        "include_topic_authorized_operations": False,
        "include_cluster_authorized_operations": False,
    }
    talk.client(request(3, version, 1, **asked))
    said = talk.server(answer(3, version, 1, brokers=(), topics=(topic,), controller_id=1))
    assert said.events == ()
    return topics.name(ID)


@pytest.mark.parametrize("version", range(10, 14))
def test_ids_are_learnt(version: int) -> None:
    assert learnt(version) == "t"


@pytest.mark.parametrize("version", range(10))
def test_older_answers_have_no_ids(version: int) -> None:
    assert learnt(version) == str(ID)


def test_a_topic_that_is_not_there_teaches_nothing() -> None:
    assert learnt(12, ErrorCode.unknown_topic_or_partition) == str(ID)
    assert learnt(12, ErrorCode.unknown_topic_id, None) == str(ID)


def test_every_api_of_the_table_is_known_to_kio() -> None:
    assert EFFECTS <= set(APIS) <= set(api_key_map)
