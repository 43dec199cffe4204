"""The first words of a connection: encryption refused, cancelling, other protocols, TLS."""

import pytest

from killpoint.faults.events import EncryptionRefused, ForeignSpeech
from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.postgres_startup import Phase, Startup
from tests.support.feeding import feedings

SSL = b"\x00\x00\x00\x08\x04\xd2\x16\x2f"
GSS = b"\x00\x00\x00\x08\x04\xd2\x16\x30"
START = b"\x00\x00\x00\x10\x00\x03\x00\x00user\0me\0"


def test_refuses_encryption_then_speaks() -> None:
    for parts in feedings(GSS + SSL + START):
        startup = Startup()
        pieces = [piece for part in parts for piece in startup.feed(part)[0]]
        assert pieces == [Piece(b"", reply=b"N"), Piece(b"", reply=b"N"), Piece(START)]
        assert startup.phase is Phase.SPEAKING
        assert startup.end() == [Piece(b"")]


def test_what_follows_is_given_back() -> None:
    assert Startup().feed(START + b"Q...") == ([Piece(START)], b"Q...")


@pytest.mark.parametrize(("request_", "what"), [(SSL, "TLS"), (GSS, "GSSAPI")])
def test_a_client_that_leaves_after_the_refusal(request_: bytes, what: str) -> None:
    startup = Startup()
    startup.feed(request_)
    assert startup.end() == [Piece(b"", (EncryptionRefused(what),))]


@pytest.mark.parametrize("before", [b"", SSL])
def test_tls_is_passed_on_and_reported(before: bytes) -> None:
    startup = Startup()
    pieces, rest = startup.feed(before + b"\x16\x03\x01\x02\x00")
    assert pieces[-1] == Piece(b"\x16\x03\x01\x02\x00", (ForeignSpeech("TLS"),))
    assert rest == b""
    assert startup.phase is Phase.FOREIGN


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x00\x00\x10\x04\xd2\x16\x2e" + bytes(8),  # CancelRequest
        b"\x00\x00\x00\x08\x00\x02\x00\x00",  # protocol 2
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x00\x00\x00\x03",
    ],
)
def test_what_is_not_read_is_passed_on(data: bytes) -> None:
    startup = Startup()
    pieces, rest = startup.feed(data)
    assert b"".join(piece.data for piece in pieces) + rest == data
    assert startup.phase is Phase.FOREIGN


def test_the_start_of_a_message_is_passed_on_at_the_end() -> None:
    startup = Startup()
    assert startup.feed(START[:9]) == ([], b"")
    assert startup.end() == [Piece(START[:9])]
