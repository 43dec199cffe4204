"""Decoding by kio: whole frames in, messages out, wrong ones refused."""

import struct

import pytest

from killpoint.faults.wire.kafka_codec import decode_answer, decode_request, flexible, topic_of
from killpoint.faults.wire.walk import WalkError
from tests.support.kafka_talk import answer, request

END = {"transactional_id": "tx", "producer_id": 1, "producer_epoch": 0, "committed": True}


@pytest.mark.parametrize("version", range(6))
def test_requests_and_answers_of_all_versions(version: int) -> None:
    asked = decode_request(26, version, request(26, version, 3, **END)[4:])
    assert (asked.transactional_id, asked.committed) == ("tx", True)
    assert decode_answer(26, version, answer(26, version, 3)[4:]).error_code == 0


def test_a_cut_frame_is_refused() -> None:
    frame = request(26, 5, 3, **END)[4:]
    for end in range(len(frame)):
        with pytest.raises((WalkError, IndexError, struct.error)):
            decode_request(26, 5, frame[:end])


def test_versions_that_kio_does_not_know_are_refused() -> None:
    with pytest.raises(RuntimeError):
        decode_request(26, 99, b"")


def test_flexible_versions() -> None:
    assert [flexible(1, version) for version in (4, 11, 12, 18)] == [False, False, True, True]


def test_a_topic_without_name_or_id_is_empty() -> None:
    assert topic_of(object()) == ""
