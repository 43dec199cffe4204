"""Offsets: commits with what the broker took of them, in and outside transactions; seeking."""

from typing import Any
from uuid import UUID

import pytest
from kio.index import load_request_schema, load_response_schema
from kio.schema.errors import ErrorCode

from killpoint.faults.events import (
    GroupNamed,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    OffsetSought,
    TxnOffsetCommitAnswered,
    TxnOffsetCommitAsked,
)
from killpoint.faults.position import Position
from killpoint.faults.wire.kafka_topics import KafkaTopics
from tests.support.kafka_talk import (
    NO_TIME,
    Talk,
    answer,
    build,
    named_topic,
    nested,
    request,
)

ID = UUID(int=7)
COMMIT, TXN_COMMIT = 8, 28
NAMES = {COMMIT: "OffsetCommit", TXN_COMMIT: "TxnOffsetCommit"}


def commit(key: int, version: int, offsets: dict[int, int]) -> bytes:
    kind: Any = load_request_schema(key, version)
    part_kind = nested(kind, f"{NAMES[key]}RequestPartition")
    parts = tuple(
        build(part_kind, partition_index=part, committed_offset=at, committed_metadata=None)
        for part, at in offsets.items()
    )
    by_id = key == COMMIT and version >= 10
    topic = named_topic(
        nested(kind, f"{NAMES[key]}RequestTopic"), ID if by_id else "t", partitions=parts
    )
    return request(
        key,
        version,
        1,
        group_id="g",
        transactional_id="tx",
        member_id="m",
        topics=(topic,),
        producer_id=1,
        producer_epoch=0,
    )


def committed(key: int, version: int, errors: dict[int, ErrorCode]) -> bytes:
    kind: Any = load_response_schema(key, version)
    part_kind = nested(kind, f"{NAMES[key]}ResponsePartition")
    parts = tuple(part_kind(partition_index=part, error_code=code) for part, code in errors.items())
    by_id = key == COMMIT and version >= 10
    topic = named_topic(
        nested(kind, f"{NAMES[key]}ResponseTopic"), ID if by_id else "t", partitions=parts
    )
    return answer(key, version, topics=(topic,))


def known() -> KafkaTopics:
    topics = KafkaTopics()
    topics.learn(ID, "t")
    return topics


@pytest.mark.parametrize("version", range(2, 11))
def test_an_offset_commit(version: int) -> None:
    talk = Talk(known())
    positions = (Position("t", 0, 6), Position("t", 1, 9))
    asked = talk.client(commit(COMMIT, version, {0: 6, 1: 9}))
    said = talk.server(
        committed(COMMIT, version, {0: ErrorCode.none, 1: ErrorCode.illegal_generation})
    )
    assert asked.events == (GroupNamed("g"), OffsetCommitAsked(1, "g", positions))
    assert said.events == (OffsetCommitAnswered(1, "g", positions[:1], ("ILLEGAL_GENERATION",)),)
    assert (asked.opens, said.closes) == ((1,), (1,))


@pytest.mark.parametrize("version", range(6))
def test_a_commit_inside_a_transaction(version: int) -> None:
    talk = Talk()
    positions = (Position("t", 0, 6),)
    asked = talk.client(commit(TXN_COMMIT, version, {0: 6}))
    said = talk.server(committed(TXN_COMMIT, version, {0: ErrorCode.none}))
    assert asked.events == (GroupNamed("g"), TxnOffsetCommitAsked(1, "tx", "g", positions))
    assert said.events == (TxnOffsetCommitAnswered(1, "tx", "g", positions, ()),)
    assert (asked.opens, said.closes) == ((1,), (1,))


def test_an_unknown_topic_id_is_named_by_itself() -> None:
    said = Talk().client(commit(COMMIT, 10, {0: 6}))
    assert said.events[-1] == OffsetCommitAsked(1, "g", (Position(str(ID), 0, 6),))


@pytest.mark.parametrize("version", range(1, 11))
def test_seeking(version: int) -> None:
    kind: Any = load_request_schema(2, version)
    part = build(nested(kind, "ListOffsetsPartition"), partition_index=3, timestamp=-2)
    topic = nested(kind, "ListOffsetsTopic")(name="t", partitions=(part,))
    values: dict[str, Any] = {"replica_id": -1, "isolation_level": 0, "topics": (topic,)}
    said = Talk().client(request(2, version, **values, timeout=NO_TIME))
    assert said.events == (OffsetSought("t", 3, -2),)


@pytest.mark.parametrize("version", range(1, 11))
def test_asking_for_offsets_names_the_groups(version: int) -> None:
    kind: Any = load_request_schema(9, version)
    groups: tuple[Any, ...] = ()
    if version >= 8:
        entry = nested(kind, "OffsetFetchRequestGroup")
        groups = tuple(build(entry, group_id=group, topics=()) for group in ("g", "h"))
    said = Talk().client(
        request(9, version, group_id="g", topics=(), groups=groups, require_stable=True)
    )
    names = ("g", "h") if version >= 8 else ("g",)
    assert said.events == tuple(GroupNamed(name) for name in names)
