"""Groups: each request that names one says so; joining and leaving in both protocols."""

from typing import Any

import pytest
from kio.index import load_request_schema, load_response_schema
from kio.schema.errors import ErrorCode

from killpoint.faults.events import (
    GroupNamed,
    Joined,
    Left,
    MemberNamed,
    MemberUnnamed,
    Subscribed,
)
from tests.support.kafka_talk import NO_TIME, Talk, answer, build, nested, request

HEARTBEAT: dict[str, Any] = {"group_id": "g", "topic_partitions": None}
BEAT: dict[str, Any] = {"heartbeat_interval": NO_TIME}
JOIN: dict[str, Any] = {
    "group_id": "g",
    "session_timeout": NO_TIME,
    "rebalance_timeout": NO_TIME,
    "member_id": "",
    "protocol_type": "consumer",
    "protocols": (),
}
JOINED: dict[str, Any] = {
    "generation_id": 4,
    "protocol_type": "consumer",
    "protocol_name": "range",
    "leader": "m-1",
    "member_id": "m-1",
    "members": (),
}


@pytest.mark.parametrize(
    ("key", "version", "values"),
    [
        (10, 0, {"key": "g"}),
        (10, 2, {"key": "g", "key_type": 0}),
        (10, 6, {"key_type": 0, "coordinator_keys": ("g",)}),
        (11, 9, JOIN),
        (12, 4, {"group_id": "g", "generation_id": 1, "member_id": "m"}),
        (14, 5, {"group_id": "g", "generation_id": 1, "member_id": "m", "assignments": ()}),
        (15, 5, {"groups": ("g",), "include_authorized_operations": False}),
        (42, 2, {"groups_names": ("g",)}),
        (47, 0, {"group_id": "g", "topics": ()}),
        (69, 0, {"group_ids": ("g",), "include_authorized_operations": False}),
    ],
)
def test_a_request_names_its_group(key: int, version: int, values: dict[str, Any]) -> None:
    said = Talk().client(request(key, version, **values))
    assert said.events == (GroupNamed("g"),)
    # Who asks to join without an id is awaited by the group: the id that it gets must be seen.
    assert said.opens == ((1,) if key == 11 else ())


def test_a_coordinator_of_transactions_names_no_group() -> None:
    said = Talk().client(request(10, 6, key_type=1, coordinator_keys=("tx",)))
    assert said.events == ()


@pytest.mark.parametrize("version", range(10))
def test_join_of_the_classic_protocol(version: int) -> None:
    talk = Talk()
    asked = talk.client(request(11, version, **JOIN, group_instance_id="i"))
    assert (MemberUnnamed("g") in asked.events) is (version < 4)
    assert asked.opens == ((1,) if version == 4 else ())
    said = talk.server(answer(11, version, **JOINED))
    instance = "i" if version >= 5 else None
    assert said.events == (Joined("g", "m-1", instance, "classic", 4),)


def subscription(*topics: bytes) -> bytes:
    """ConsumerProtocolSubscription, version 1: topics, user data, owned partitions."""
    names = b"".join(len(topic).to_bytes(2, "big") + topic for topic in topics)
    return b"\0\1" + len(topics).to_bytes(4, "big") + names + b"\xff\xff\xff\xff" + b"\0\0\0\0"


@pytest.mark.parametrize(
    ("metadata", "topics"),
    [
        (subscription(b"clicks", b"retry"), {"clicks", "retry"}),
        (subscription(), set[str]()),
        (subscription(b"clicks")[:9], None),
        (subscription(b"\xff\xfe"), None),
    ],
)
def test_a_member_names_the_topics_that_it_wants(metadata: bytes, topics: set[str] | None) -> None:
    kind: Any = load_request_schema(11, 9)
    protocol = build(nested(kind, "JoinGroupRequestProtocol"), name="range", metadata=metadata)
    asked = Talk().client(request(11, 9, **{**JOIN, "protocols": (protocol,)}))
    wanted = () if topics is None else (Subscribed("g", frozenset(topics)),)
    assert asked.events == (GroupNamed("g"), *wanted)


def test_a_member_of_the_consumer_protocol_names_them_when_they_change() -> None:
    names = {"subscribed_topic_names": ("clicks",), "member_id": "m", "member_epoch": 0}
    asked = Talk().client(request(68, 1, **HEARTBEAT, **names))
    named = MemberNamed("g", "m", None, "consumer")
    assert asked.events == (GroupNamed("g"), Subscribed("g", frozenset({"clicks"})), named)


def test_a_refused_join_is_none() -> None:
    talk = Talk()
    talk.client(request(11, 9, **JOIN))
    refused = answer(11, 9, error_code=ErrorCode.group_max_size_reached, **JOINED)
    assert talk.server(refused).events == ()


def test_a_member_is_known_as_soon_as_it_has_an_id() -> None:
    talk, named = Talk(), MemberNamed("g", "m-1", None, "classic")
    talk.client(request(11, 9, **JOIN))
    said = talk.server(answer(11, 9, error_code=ErrorCode.member_id_required, **JOINED))
    assert (said.events, said.closes) == ((named,), (1,))
    asked = talk.client(request(11, 9, **{**JOIN, "member_id": "m-1"}))
    assert (asked.events, asked.opens) == ((GroupNamed("g"), named), ())


def test_a_member_of_the_consumer_protocol_brings_its_id() -> None:
    asked = Talk().client(request(68, 1, **HEARTBEAT, member_id="m", member_epoch=0))
    assert asked.events == (GroupNamed("g"), MemberNamed("g", "m", None, "consumer"))


@pytest.mark.parametrize("version", range(6))
def test_leaving_the_classic_protocol(version: int) -> None:
    talk = Talk()
    kind: Any = load_request_schema(13, version)
    answer_kind: Any = load_response_schema(13, version)
    members: tuple[Any, ...] = ()
    answered: tuple[Any, ...] = ()
    if version >= 3:
        entry, answer_entry = nested(kind, "MemberIdentity"), nested(answer_kind, "MemberResponse")
        members = tuple(build(entry, member_id=member) for member in ("m-1", "m-2"))
        errors = {"m-1": ErrorCode.none, "m-2": ErrorCode.unknown_member_id}
        answered = tuple(
            answer_entry(member_id=member, group_instance_id=None, error_code=error)
            for member, error in errors.items()
        )
    asked = talk.client(request(13, version, group_id="g", member_id="m-1", members=members))
    said = talk.server(answer(13, version, members=answered))
    assert asked.events == (GroupNamed("g"),)
    assert said.events == (Left("g", "m-1"),)
    assert (asked.opens, said.closes) == ((1,), (1,))


def test_a_refused_leave_is_none() -> None:
    talk = Talk()
    talk.client(request(13, 2, group_id="g", member_id="m"))
    assert talk.server(answer(13, 2, error_code=ErrorCode.unknown_member_id)).events == ()


def beat(talk: Talk, asked: int, epoch: int, error: ErrorCode = ErrorCode.none) -> Any:
    """A heartbeat with its member epoch, and the events of its answer with the broker's."""
    talk.client(request(68, 1, **HEARTBEAT, member_id="m", member_epoch=asked, instance_id="i"))
    return talk.server(
        answer(68, 1, **BEAT, member_id="m", member_epoch=epoch, error_code=error)
    ).events


def test_join_and_leave_of_the_consumer_protocol() -> None:
    talk = Talk()
    joined = (Joined("g", "m", "i", "consumer", 1),)
    assert beat(talk, 0, 1) == joined
    assert beat(talk, 1, 1) == ()
    assert beat(talk, 0, 1) == ()  # the same join, asked again
    assert beat(talk, -1, -1) == (Left("g", "m"),)
    assert beat(talk, 0, 1) == joined
    assert beat(talk, -2, -2) == (Left("g", "m"),)


def test_a_fenced_member_joins_again() -> None:
    talk = Talk()
    beat(talk, 0, 1)
    assert beat(talk, 1, 0, ErrorCode.fenced_member_epoch) == ()
    assert beat(talk, 0, 3) == (Joined("g", "m", "i", "consumer", 3),)


def test_the_broker_gives_the_member_its_id_in_version_0() -> None:
    talk = Talk()
    talk.client(request(68, 0, **HEARTBEAT, member_id="", member_epoch=0))
    said = talk.server(answer(68, 0, **BEAT, member_id="given", member_epoch=1))
    assert said.events == (Joined("g", "given", None, "consumer", 1),)
