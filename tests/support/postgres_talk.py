"""A Postgres conversation as a script, and what the machine says of it.

A script has lines `> message | message` (from the client, in one segment), `< message | message`
(from the server) and, indented, what is said: one line for each piece with events. The function
`count_click` is one that writes.
"""

from collections.abc import Callable

from killpoint.faults.events import (
    BackendReady,
    BackendStarted,
    BeginAnswered,
    BeginAsked,
    CommitAnswered,
    CommitAsked,
    EncryptionRefused,
    Event,
    ForeignSpeech,
    RollbackAnswered,
    RollbackAsked,
    SequenceMoved,
    StatementFailed,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.postgres import PostgresMachine
from tests.support.feeding import feedings

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
    SequenceMoved: "sequence",
    BackendStarted: "started {0.pid}",
    ForeignSpeech: "foreign {0.what}",
    EncryptionRefused: "refused {0.what}",
}


def words(event: Event) -> str:
    tables = ",".join(sorted(event.tables)) if isinstance(event, WriteAsked) else ""
    automatic = isinstance(event, CommitAsked | CommitAnswered) and event.auto
    return WORDS[type(event)].format(event, tables=tables or "-", auto="auto-" * automatic)


class Listener:
    """Checks what holds for every conversation: pairs of exchanges, opens and closes."""

    def __init__(self) -> None:
        self.open: set[int] = set()
        self.asked: dict[int, int] = {}

    def hears(self, pieces: list[Piece]) -> list[str]:
        """What is said, one text for each piece with events."""
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


def played(script: str, cut: int) -> str:
    """The script as heard when every segment is fed in the way number `cut` of `feedings`."""
    machine, listener = PostgresMachine(frozenset({"count_click"})), Listener()
    machine.to_server(STARTUP)
    lines: list[str] = []
    for line in map(str.strip, script.strip().splitlines()):
        if line[0] not in "<>":
            continue
        sent = line[0] == ">"
        send: Send = machine.to_server if sent else machine.to_client
        data = segment(line)
        parts = list(feedings(data))[cut]
        pieces = [piece for part in parts for piece in send(part)]
        assert b"".join(piece.data for piece in pieces) == data
        lines += [line, *(f"  {said}" for said in listener.hears(pieces))]
    if listener.open:
        lines.append(f"  {len(listener.open)} open")
    return "\n".join(lines)


def segment(line: str) -> bytes:
    """The bytes of a line of a script."""
    encode = asked if line[0] == ">" else answered
    return b"".join(map(encode, line[2:].split(" | ")))


def right(script: str) -> None:
    """Asserts that a script is what is heard, however its bytes arrive."""
    lines = [line.strip() for line in script.strip().splitlines()]
    expected = "\n".join(line if line[0] in "<>" else f"  {line}" for line in lines)
    for cut in range(len(list(feedings(b"")))):
        assert played(script, cut) == expected
