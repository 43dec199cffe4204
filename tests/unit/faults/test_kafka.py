"""Conversations with the Kafka machine: pairing, pieces, what opens and closes, foreign speech."""

import struct

import pytest
from kio.schema.errors import ErrorCode

from killpoint.faults.events import (
    EndTxnAnswered,
    EndTxnAsked,
    ForeignSpeech,
    GroupNamed,
    RecordsFetched,
)
from killpoint.faults.position import Span
from tests.support.feeding import feedings
from tests.support.kafka_talk import Talk, answer, batch, fetch_answer, fetch_request, request

END = {"transactional_id": "tx", "producer_id": 1, "producer_epoch": 0, "committed": True}


def test_a_request_and_its_answer_share_an_exchange() -> None:
    talk = Talk()
    talk.client(request(12, 4, 1, group_id="g", generation_id=1, member_id="m"))
    asked = talk.client(request(26, 5, 2, **END))
    talk.server(answer(12, 4, 1))
    answered = talk.server(answer(26, 5, 2))
    assert asked.events == (EndTxnAsked(2, "tx", True),)
    assert asked.opens == (2,)
    assert answered.events == (EndTxnAnswered(2, "tx", True, None),)
    assert answered.closes == (2,)


def test_every_small_frame_is_one_piece_however_it_comes() -> None:
    frames = request(12, 4, 1, group_id="g", generation_id=1, member_id="m") + request(
        26, 5, 2, **END
    )
    for parts in feedings(frames):
        said = Talk().client(*parts)
        assert said.data == frames
        assert [piece.events for piece in said.pieces] == [
            (GroupNamed("g"),),
            (EndTxnAsked(2, "tx", True),),
        ]


def test_correlation_ids_may_repeat() -> None:
    talk = Talk()
    for _ in range(3):
        talk.client(request(26, 5, 7, **END))
    closed = [talk.server(answer(26, 5, 7)).closes for _ in range(3)]
    assert closed == [(1,), (2,), (3,)]


def test_an_answer_closes_what_was_asked_before_it() -> None:
    talk = Talk()
    talk.client(request(26, 5, 1, **END), request(26, 5, 2, **END))
    assert talk.server(answer(26, 5, 2)).closes == (1, 2)


def test_an_answer_that_nobody_asked_for_passes() -> None:
    talk = Talk()
    talk.client(request(26, 5, 1, **END))
    stray = answer(26, 5, 99)
    said = talk.server(stray)
    assert (said.data, said.events, said.closes) == (stray, (), ())
    assert talk.server(answer(26, 5, 1)).closes == (1,)


def test_an_undecodable_request_passes_and_the_next_is_read() -> None:
    talk = Talk()
    broken = struct.pack(">ihhih", 10, 26, 5, 1, 500)
    said = talk.client(broken, request(26, 5, 2, **END))
    assert said.data.startswith(broken)
    assert said.events == (EndTxnAsked(2, "tx", True),)
    assert said.opens == (1, 2)
    assert talk.server(answer(26, 5, 1)).closes == (1,)


def test_an_unknown_version_passes() -> None:
    talk = Talk()
    frame = struct.pack(">ihhi", 8, 26, 99, 1)
    assert talk.client(frame).data == frame
    assert talk.server(struct.pack(">ii", 4, 1)).closes == (1,)


def test_an_array_that_claims_the_world_is_not_decoded() -> None:
    """kio alone would end the process here: it reserves memory for the claimed items first."""
    talk = Talk()
    body = struct.pack(">hhih", 9, 7, 1, 0) + b"\0" + b"\x02g" + b"\xff\xff\xff\xff\x0f"
    frame = struct.pack(">i", len(body)) + body
    said = talk.client(frame)
    assert (said.data, said.events) == (frame, ())


def test_api_versions_5_is_answered_in_version_0() -> None:
    """franz-go asks in version 5 first; a broker that does not know it says 35 in v0 (KIP-511)."""
    talk = Talk()
    body = struct.pack(">hhih", 18, 5, 1, -1) + b"\0\x05test\x021\0"
    asked = struct.pack(">i", len(body)) + body
    assert talk.client(asked).data == asked
    fallback = answer(18, 0, 1, error_code=ErrorCode.unsupported_version, api_keys=())
    assert talk.server(fallback).data == fallback
    assert talk.client(request(26, 5, 2, **END)).events == (EndTxnAsked(2, "tx", True),)


def test_a_frame_shorter_than_a_header_passes() -> None:
    talk = Talk()
    token = struct.pack(">i", 5) + b"\0me\0x"
    said = talk.client(token + request(26, 5, 1, **END))
    assert said.events == (EndTxnAsked(2, "tx", True),)
    assert len(said.pieces) == 2


def test_a_negative_length_ends_the_reading_of_that_direction() -> None:
    talk = Talk()
    rubbish = b"\xff\xff\xff\xff" + request(26, 5, 1, **END)
    said = talk.client(rubbish, b"more")
    assert (said.data, said.events) == (rubbish + b"more", ())


def test_end_of_file_gives_out_what_was_kept() -> None:
    talk = Talk()
    cut = request(26, 5, 1, **END)[:-1]
    assert talk.client(cut).data == b""
    said = talk.client(b"")
    assert (said.data, said.events) == (cut, ())


@pytest.mark.parametrize(
    "record", [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\x16\x03\x03\x00"]
)
def test_tls_is_named_and_passes(record: bytes) -> None:
    for parts in feedings(record + bytes(300)):
        talk = Talk()
        said = talk.client(*parts)
        assert said.events == (ForeignSpeech("TLS"),)
        assert said.data == b"".join(parts)
        assert talk.server(b"\x16", b"\x03\x03").data == b"\x16\x03\x03"


def test_sasl_is_named_and_what_follows_is_read() -> None:
    talk = Talk()
    said = talk.client(request(17, 1, 1, mechanism="PLAIN"))
    assert said.events == (ForeignSpeech("SASL"),)
    talk.server(answer(17, 1, 1, mechanisms=("PLAIN",)))
    talk.client(request(36, 2, 2, auth_bytes=b"\0u\0p"))
    assert talk.client(request(26, 5, 3, **END)).events == (EndTxnAsked(3, "tx", True),)


def test_bulk_is_forwarded_as_it_comes_and_its_end_carries_the_events() -> None:
    talk = Talk()
    talk.client(fetch_request(12, [("t", 0, 5)]))
    frame = fetch_answer(12, [("t", 0, batch(5, 3, size=100_000))])
    parts = [frame[at : at + 10_000] for at in range(0, len(frame), 10_000)]
    pieces = [talk.machine.to_client(part) for part in parts]
    assert [[piece.data for piece in few] for few in pieces] == [[part] for part in parts]
    assert [few[0].events for few in pieces[:-1]] == [()] * (len(parts) - 1)
    assert pieces[-1][0].events == (RecordsFetched(1, (Span("t", 0, 5, 8),)),)
