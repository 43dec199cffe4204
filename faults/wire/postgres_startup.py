"""The first words of a Postgres connection: messages that have a length but no type byte.

Counterpart: the Postgres machine starts here and goes on to typed messages after StartupMessage.
Encryption is refused by the answer `N`, as killpoint reads the stream; a client that leaves
is reported, never left hanging (protocol, "Start-up", "SSL Session Encryption").
"""

from enum import Enum, auto
from typing import Final

from killpoint.faults.events import EncryptionRefused, ForeignSpeech
from killpoint.faults.wire.piece import Piece

HEADER: Final = 8
"""Bytes: the length of the whole message, then a protocol version or a request code."""
LONGEST: Final = 10_000
"""The server's own bound (MAX_STARTUP_PACKET_LENGTH)."""
REFUSED: Final = {80877103: "TLS", 80877104: "GSSAPI"}
"""SSLRequest and GSSENCRequest."""
TLS_HANDSHAKE: Final = b"\x16"
"""The first byte of a ClientHello; that of a startup message is 0, as it is short."""
VERSION: Final = 3


class Phase(Enum):
    GREETING = auto()
    SPEAKING = auto()  # typed messages follow
    FOREIGN = auto()  # not read any further: TLS, CancelRequest, another protocol


class Startup:
    """The client's bytes until it speaks in typed messages."""

    def __init__(self) -> None:
        self.phase = Phase.GREETING
        self._waiting = b""
        self._refused = ""  # what the client asked for last and was denied

    def feed(self, data: bytes) -> tuple[list[Piece], bytes]:
        """The pieces so far, and the bytes after them once the phase has changed."""
        data = self._waiting + data
        self._waiting = b""
        pieces: list[Piece] = []
        while self.phase is Phase.GREETING:
            if data[:1] == TLS_HANDSHAKE:
                self.phase = Phase.FOREIGN
                return [*pieces, Piece(data, (ForeignSpeech("TLS"),))], b""
            length = int.from_bytes(data[:4], "big") if len(data) >= 4 else HEADER
            if not HEADER <= length <= LONGEST:
                self.phase = Phase.FOREIGN
            elif len(data) < length:
                self._waiting = data
                return pieces, b""
            else:
                pieces.append(self._request(data[:length]))
                data = data[length:]
        return pieces, data

    def end(self) -> list[Piece]:
        """End of file: a client may leave when it is refused, for good or to come again without."""
        rest, self._waiting = self._waiting, b""
        refused, self._refused = self._refused, ""
        if rest or not refused or self.phase is not Phase.GREETING:
            return [Piece(rest)]
        return [Piece(b"", (EncryptionRefused(refused),))]

    def _request(self, message: bytes) -> Piece:
        code = int.from_bytes(message[4:HEADER], "big")
        if code in REFUSED and len(message) == HEADER:
            self._refused = REFUSED[code]
            return Piece(b"", reply=b"N")
        self._refused = ""
        self.phase = Phase.SPEAKING if code >> 16 == VERSION else Phase.FOREIGN
        return Piece(message)
