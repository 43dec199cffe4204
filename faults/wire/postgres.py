"""The Postgres v3 machine: one connection's bytes in, pieces with events out (protocol chapter 54).

Counterpart: the Postgres proxy forwards the pieces, the gate reads their events. It only listens:
apart from refusing encryption, nothing is added, changed or left out. What a client asks is
understood by `PostgresAsking`, what the server answers by `PostgresAnswering`; both share a
`Conversation`.
"""

from collections.abc import Callable, Iterable
from typing import Final

from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.postgres_answering import PostgresAnswering
from killpoint.faults.wire.postgres_asking import PostgresAsking
from killpoint.faults.wire.postgres_conversation import NOTHING, Conversation, Meaning
from killpoint.faults.wire.postgres_frames import BODY_LIMIT, Frame, Frames
from killpoint.faults.wire.postgres_startup import Phase, Startup

TEXT_LIMIT: Final = 1024 * 1024
"""Bytes of SQL that are read; of a longer text the rest stays unread."""
ASKED: Final = dict.fromkeys(b"BECSFcf", BODY_LIMIT) | dict.fromkeys(b"QP", TEXT_LIMIT)
ANSWERED: Final = dict.fromkeys(b"CIEsZ13GK", BODY_LIMIT)


class PostgresMachine:
    """One connection. Implements `Machine`; what it cannot read is passed on untouched.

    `writing_functions` are functions that write, lower case, as `name` or `schema.name`.
    """

    def __init__(self, writing_functions: frozenset[str] = frozenset()) -> None:
        conversation = Conversation()
        self._startup = Startup()
        self._asked, self._answered = Frames(ASKED), Frames(ANSWERED)
        self._asking = PostgresAsking(conversation, writing_functions)
        self._answering = PostgresAnswering(conversation)

    def to_server(self, data: bytes) -> list[Piece]:
        """Bytes from the client; `b""` is end of file."""
        if not data:
            return _together([*self._startup.end(), Piece(self._asked.rest())])
        if self._startup.phase is not Phase.GREETING:
            return self._read(self._asked, data, self._asking.read)
        pieces, rest = self._startup.feed(data)
        return _together([*pieces, *self._read(self._asked, rest, self._asking.read)])

    def to_client(self, data: bytes) -> list[Piece]:
        """Bytes from the server; `b""` is end of file."""
        if not data:
            return _together([Piece(self._answered.rest())])
        return self._read(self._answered, data, self._answering.read)

    def _read(self, frames: Frames, data: bytes, read: Callable[[Frame], Meaning]) -> list[Piece]:
        if self._startup.phase is Phase.FOREIGN or self._asked.broken or self._answered.broken:
            return _together([Piece(frames.rest() + data)])
        return _together(_piece(found, read) for found in frames.feed(data))


def _piece(found: bytes | Frame, read: Callable[[Frame], Meaning]) -> bytes | Piece:
    if isinstance(found, bytes):
        return found
    try:
        meaning = read(found)
    except ValueError:  # the body is not what its type says: it means nothing to us
        return found.data
    if meaning is NOTHING:
        return found.data
    return Piece(found.data, meaning.events, opens=meaning.opens, closes=meaning.closes)


def _together(found: Iterable[bytes | Piece]) -> list[Piece]:
    """Bytes that mean nothing as one piece with their like; nothing empty."""
    pieces: list[Piece] = []
    plain: list[bytes] = []
    for item in found:
        if isinstance(item, bytes):
            plain.append(item)
        elif item.events or item.reply or item.opens or item.closes:
            if plain:
                pieces += _joined(plain)
                plain.clear()
            pieces.append(item)
        else:
            plain.append(item.data)
    return pieces + _joined(plain)


def _joined(plain: list[bytes]) -> list[Piece]:
    data = plain[0] if len(plain) == 1 else b"".join(plain)
    return [Piece(data)] if data else []
