"""The guard lets pass what kio's writers wrote, and nothing that claims more than is there."""

import struct
from typing import Any

import pytest
from kio.index import load_request_schema, load_response_schema

from killpoint.faults.wire.kafka_guard import guard
from killpoint.faults.wire.walk import WalkError
from tests.support.kafka_talk import batch, fetch_answer, fetch_request

HUGE = b"\xff\xff\xff\xff\x0f"


def checked(payload: Any, frame: bytes) -> int:
    return guard(payload)(frame, guard(payload.__header_schema__)(frame, 0))


@pytest.mark.parametrize("version", range(4, 13))
def test_the_guard_ends_where_the_message_ends(version: int) -> None:
    forgotten = [("u", 1)] if version >= 7 else []
    asked = fetch_request(version, [("t", 0, 5)], forgotten=forgotten)[4:]
    assert checked(load_request_schema(1, version), asked) == len(asked)
    answered = fetch_answer(version, [("t", 0, batch(5, 3))], aborted=[(1, 2)])[4:]
    assert checked(load_response_schema(1, version), answered) == len(answered)


@pytest.mark.parametrize("version", [4, 12])
def test_a_cut_message_is_refused(version: int) -> None:
    frame = fetch_answer(version, [("t", 0, batch(5, 3))])[4:]
    for end in range(len(frame)):
        with pytest.raises((WalkError, IndexError, struct.error)):
            checked(load_response_schema(1, version), frame[:end])


def test_an_array_may_not_claim_more_items_than_there_are_bytes() -> None:
    describe_groups: Any = load_request_schema(15, 5)
    with pytest.raises(WalkError, match="array"):
        guard(describe_groups)(HUGE + b"\0\0", 0)


def test_an_array_inside_a_tag_is_looked_at() -> None:
    answer: Any = load_response_schema(1, 17)
    head = bytes(10) + b"\x01"  # throttle, error, session, no topics
    endpoints = b"\x01\x00\x05" + HUGE
    with pytest.raises(WalkError, match="array"):
        guard(answer)(head + endpoints, 0)


def test_a_tag_has_to_be_as_long_as_it_claims() -> None:
    answer: Any = load_response_schema(1, 17)
    head = bytes(10) + b"\x01"
    assert guard(answer)(head + b"\x01\x00\x01\x01", 0) == 15
    with pytest.raises(WalkError, match="tagged"):
        guard(answer)(head + b"\x01\x00\x02\x01\x00", 0)


def test_a_varint_has_at_most_five_bytes() -> None:
    describe_groups: Any = load_request_schema(15, 5)
    with pytest.raises(WalkError, match="varint"):
        guard(describe_groups)(b"\x80" * 6, 0)


def test_a_nullable_structure_may_be_null() -> None:
    heartbeat: Any = load_response_schema(68, 0)
    nothing = bytes(6) + b"\0\0" + bytes(8)  # throttle, error; message, member; epoch, interval
    assert guard(heartbeat)(nothing + b"\xff\0", 0) == 18
    assert guard(heartbeat)(nothing + b"\x01\x01\0\0", 0) == 20
