"""The Postgres machine on any bytes: it never raises, passes on what it got, and hears the same."""

from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from killpoint.faults.events import CommitAsked, Event, WriteAsked
from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.postgres import TEXT_LIMIT, PostgresMachine
from killpoint.faults.wire.postgres_frames import BODY_LIMIT, HEADER
from tests.support.postgres_talk import STARTUP, segment, typed

UNHURRIED = settings(deadline=None)  # a loaded machine is no failure
SIZE = 50_000_000
"""Bytes of the longest message tried."""
SQL = (
    "begin",
    "commit",
    "rollback",
    "commit and chain",
    "savepoint a",
    "rollback to a",
    "insert into clicks values (1)",
    "select 1",
    "copy clicks from stdin",
    "prepare transaction 'x'",
    "commit prepared 'x'",
    "begin; update clicks set n = 1; commit",
    "prepare s as delete from clicks",
    "execute s",
    "'never closed",
)
FROM_CLIENT = st.one_of(
    st.sampled_from(SQL).map(lambda sql: f"> Q {sql}"),
    st.sampled_from(SQL).map(lambda sql: f"> P s: {sql}"),
    st.sampled_from(SQL).map(lambda sql: f"> P : {sql} | B : | E"),
    st.sampled_from(("B p: s", "E p", "S", "H", "C S s", "C P p", "d x", "c", "f", "F", "X")).map(
        lambda message: f"> {message}"
    ),
)
ANSWERS = (
    *("1", "2", "3", "n", "t", "T", "D x", "s", "I", "G", "H", "V", "N", "E 23505", "K 7", "Z I"),
    *("Z T", "Z E", "Z ?", "C BEGIN", "C COMMIT", "C ROLLBACK", "C INSERT 0 1", "C SELECT 1"),
)
FROM_SERVER = st.sampled_from(ANSWERS).map(lambda message: f"< {message}")
Segment = tuple[bool, bytes]
"""Whether it comes from the client, and its bytes."""
CONVERSATIONS = st.lists(
    st.one_of(FROM_CLIENT, FROM_SERVER).map(lambda line: (line[0] == ">", segment(line))),
    max_size=30,
)


def piece_lists(machine: PostgresMachine, segments: Iterable[Segment]) -> list[list[Piece]]:
    """The pieces of the two directions."""
    pieces: list[list[Piece]] = [[], []]
    for from_client, data in segments:
        send = machine.to_server if from_client else machine.to_client
        pieces[from_client] += send(data)
    return pieces


def cut(segments: list[Segment], places: list[int]) -> list[Segment]:
    """The same segments, each in two at one of the places."""
    parts: list[Segment] = []
    for number, (from_client, data) in enumerate(segments):
        place = places[number % len(places)] % (len(data) + 1)
        halves = [(from_client, data[:place]), (from_client, data[place:])]
        parts += [half for half in halves if half[1]]
    return parts


def passed_on(pieces: list[Piece]) -> bytes:
    return b"".join(piece.data for piece in pieces)


def received(segments: Iterable[Segment], from_client: bool) -> bytes:
    return b"".join(data for sender, data in segments if sender is from_client)


def events(pieces: list[Piece]) -> list[Event]:
    return [event for piece in pieces for event in piece.events]


@UNHURRIED
@given(CONVERSATIONS, st.lists(st.integers(0, 100), min_size=1, max_size=5))
def test_events_do_not_depend_on_how_the_bytes_arrive(
    conversation: list[Segment], places: list[int]
) -> None:
    segments = [(True, STARTUP), *conversation]
    whole = piece_lists(PostgresMachine(), segments)
    byte_by_byte = [
        (from_client, data[at : at + 1])
        for from_client, data in segments
        for at in range(len(data))
    ]
    for parts in (cut(segments, places), byte_by_byte):
        pieces = piece_lists(PostgresMachine(), parts)
        for from_client in (False, True):
            assert events(pieces[from_client]) == events(whole[from_client])
            assert passed_on(pieces[from_client]) == received(segments, from_client)


@UNHURRIED
@given(CONVERSATIONS, st.lists(st.tuples(st.integers(0), st.integers(0, 255)), min_size=1))
def test_mutated_conversations_are_passed_on(
    conversation: list[Segment], mutations: list[tuple[int, int]]
) -> None:
    segments = [(True, STARTUP), *conversation]
    for place, value in mutations:
        number = place % len(segments)
        from_client, data = segments[number]
        if number:
            at = place // len(segments) % len(data)
            segments[number] = (from_client, data[:at] + bytes([value]) + data[at + 1 :])
    ended = [*segments, (True, b""), (False, b"")]
    pieces = piece_lists(PostgresMachine(), ended)
    for from_client in (False, True):
        assert passed_on(pieces[from_client]) == received(segments, from_client)


@UNHURRIED
@given(st.lists(st.tuples(st.booleans(), st.binary(min_size=1, max_size=200))))
def test_any_bytes_are_passed_on(segments: list[Segment]) -> None:
    ended = [*segments, (True, b""), (False, b"")]
    pieces = piece_lists(PostgresMachine(), ended)
    replies = sum(len(piece.reply) for piece in pieces[True])
    if not replies:
        assert passed_on(pieces[True]) == received(segments, True)
    assert passed_on(pieces[False]) == received(segments, False)


@UNHURRIED
@given(CONVERSATIONS, st.binary(min_size=1, max_size=20))
def test_what_trails_is_passed_on_at_the_end(conversation: list[Segment], rest: bytes) -> None:
    segments = [(True, STARTUP), *conversation, (True, rest), (False, rest)]
    pieces = piece_lists(PostgresMachine(), [*segments, (True, b""), (False, b"")])
    for from_client in (False, True):
        assert passed_on(pieces[from_client]) == received(segments, from_client)


@settings(max_examples=10, deadline=None)
@given(st.integers(2_000, 300_000), st.sampled_from("QP"))
def test_long_statements_mean_the_same_however_they_arrive(step: int, kind: str) -> None:
    sql = b"insert into clicks values " + b",".join([b"(1, 'some text')"] * 90_000)
    body = (b"" if kind == "Q" else b"s\0") + sql + b"\0\0\0"
    data = typed(kind, body) + segment("> B : s | E | S")
    assert len(data) > TEXT_LIMIT
    machine = PostgresMachine()
    machine.to_server(STARTUP)
    kept = 0
    pieces: list[Piece] = []
    for at in range(0, len(data), step):
        pieces += machine.to_server(data[at : at + step])
        kept = max(kept, at + step - len(passed_on(pieces)))
    assert passed_on(pieces) == data
    assert kept <= TEXT_LIMIT + step
    said = [type(event) for event in events(pieces)]
    assert said == [WriteAsked, CommitAsked]


def test_memory_is_bounded_for_messages_of_50_mb() -> None:
    machine = PostgresMachine()
    machine.to_server(STARTUP)
    part = bytes(64 * 1024)
    for kind, send in (
        *((kind, machine.to_server) for kind in "dBQPp"),
        *((kind, machine.to_client) for kind in "DdETN"),
    ):
        passed = len(passed_on(send(kind.encode() + (SIZE + 4).to_bytes(4, "big"))))
        for number in range(1, SIZE // len(part) + 1):
            passed += len(passed_on(send(part)))
            assert passed >= number * len(part) - max(TEXT_LIMIT, BODY_LIMIT)
        passed += len(passed_on(send(bytes(SIZE % len(part)))))
        assert passed == SIZE + HEADER
