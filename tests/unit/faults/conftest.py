"""A Postgres conversation as a script, and what the machine says of it.

A script has lines `> message | message` (from the client, in one segment), `< message | message`
(from the server) and, indented, what is said: one line for each piece with events. `heard` plays
the messages and gives the script back with the lines of what was really said.
"""

from collections.abc import Callable

import pytest

from killpoint.faults.events import (
    BackendReady,
    BackendStarted,
    BeginAnswered,
    BeginAsked,
    CommitAnswered,
    CommitAsked,
    Event,
    ForeignSpeech,
    RollbackAnswered,
    RollbackAsked,
    StatementFailed,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.postgres import PostgresMachine

Send = Callable[[bytes], list[Piece]]
STARTUP = b"\x00\x00\x00\x09\x00\x03\x00\x00\x00"


def typed(kind: str, body: bytes) -> bytes:
    return kind.encode() + (len(body) + 4).to_bytes(4, "big") + body


def asked(message: str) -> bytes:
    """`Q sql`, `P name: sql`, `B portal: name`, `E portal`, `C S name`; others have no body."""
    kind, _, rest = message.partition(" ")
    first, _, second = (part.strip() for part in rest.partition(":"))
    match kind:
        case "Q":
            return typed(kind, rest.encode() + b"\0")
        case "P":
            return typed(kind, f"{first}\0{second}\0".encode() + bytes(2))
        case "B":
            return typed(kind, f"{first}\0{second}\0".encode() + bytes(6))
        case "E":
            return typed(kind, rest.encode() + bytes(5))
        case "C":
            return typed(kind, rest.replace(" ", "", 1).encode() + b"\0")
        case _:
            return typed(kind, rest.encode())


def answered(message: str) -> bytes:
    """`C tag`, `Z status`, `E sqlstate`, `K pid`; others have no body."""
    kind, _, rest = message.partition(" ")
    match kind:
        case "C":
            return typed(kind, rest.encode() + b"\0")
        case "E":
            return typed(kind, f"SERROR\0C{rest}\0Mrefused\0\0".encode())
        case "K":
            return typed(kind, int(rest).to_bytes(4, "big") + bytes(4))
        case _:
            return typed(kind, rest.encode())


WORDS: dict[type[Event], str] = {
    BeginAsked: "begin {0.transaction}",
    BeginAnswered: "begun {0.transaction}",
    WriteAsked: "write {0.transaction} {tables}",
    WriteAnswered: "wrote {0.transaction} {0.rows}",
    CommitAsked: "{auto}commit {0.transaction}",
    CommitAnswered: "{auto}committed {0.transaction}",
    RollbackAsked: "rollback {0.transaction}",
    RollbackAnswered: "rolled back {0.transaction}",
    StatementFailed: "failed {0.code} {0.message}",
    BackendReady: "ready {0.status}",
    BackendStarted: "started {0.pid}",
    ForeignSpeech: "foreign {0.what}",
}


def words(event: Event) -> str:
    tables = ",".join(sorted(event.tables)) if isinstance(event, WriteAsked) else ""
    automatic = isinstance(event, CommitAsked | CommitAnswered) and event.auto
    return WORDS[type(event)].format(event, tables=tables or "-", auto="auto-" * automatic)


class Listener:
    """Checks what holds for every conversation: bytes, pairs of exchanges, opens and closes."""

    def __init__(self) -> None:
        self.open: set[int] = set()
        self.asked: dict[int, int] = {}

    def hears(self, data: bytes, pieces: list[Piece]) -> list[str]:
        assert b"".join(piece.data for piece in pieces) == data
        for piece in pieces:
            assert not self.open & set(piece.opens)
            assert set(piece.closes) <= self.open
            self.open = self.open - set(piece.closes) | set(piece.opens)
            for event in piece.events:
                self.pair(event)
        return [" + ".join(map(words, piece.events)) for piece in pieces if piece.events]

    def pair(self, event: Event) -> None:
        match event:
            case BeginAsked() | WriteAsked() | CommitAsked() | RollbackAsked():
                assert event.exchange not in self.asked
                self.asked[event.exchange] = event.transaction
            case BeginAnswered() | WriteAnswered() | CommitAnswered() | RollbackAnswered():
                assert self.asked.pop(event.exchange) == event.transaction
            case _:
                pass


def played(script: str, functions: frozenset[str], size: int) -> str:
    """The script as heard when every segment is cut into parts of `size` bytes (0: whole)."""
    machine, listener = PostgresMachine(functions), Listener()
    machine.to_server(STARTUP)
    lines: list[str] = []
    for line in filter(None, map(str.strip, script.splitlines())):
        if line[0] not in "<>":
            continue
        send, encode = (
            (machine.to_server, asked) if line[0] == ">" else (machine.to_client, answered)
        )
        data = b"".join(map(encode, line[2:].split(" | ")))
        step = size or len(data)
        parts = [data[at : at + step] for at in range(0, len(data), step)]
        pieces = [piece for part in parts for piece in send(part)]
        lines += [line, *(f"  {said}" for said in listener.hears(data, pieces))]
    if listener.open:
        lines.append(f"  {len(listener.open)} open")
    return "\n".join(lines)


@pytest.fixture
def heard() -> Callable[[str, frozenset[str]], str]:
    """Plays a script whole, byte by byte and in threes; all must say the same."""

    def hear(script: str, functions: frozenset[str] = frozenset()) -> str:
        whole = played(script, functions, 0)
        assert played(script, functions, 1) == whole
        assert played(script, functions, 3) == whole
        return whole

    return hear


@pytest.fixture
def right(heard: Callable[[str, frozenset[str]], str]) -> Callable[[str], None]:
    """Asserts that a script is what is heard."""

    def check(script: str) -> None:
        lines = [line.strip() for line in script.strip().splitlines()]
        expected = "\n".join(line if line[0] in "<>" else f"  {line}" for line in lines)
        assert heard(script, frozenset({"count_click"})) == expected

    return check
