"""What a wire machine gives back: the bytes it was given, cut into pieces, each with its meaning.

The concatenation of `data` over the pieces of one direction is exactly what was received, so a
proxy that writes every piece forwards the original stream. A piece with events stands for a whole
frame (or its last bytes): while that piece is held, the other side has not got the frame.
"""

from dataclasses import dataclass
from typing import Protocol

from killpoint.faults.events import Event


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes to forward in order, and what they mean.

    `reply` is sent back to the sender at once (the answer `N` to SSLRequest, whose own bytes are
    not forwarded: the one exception to the rule above). `opens` and `closes` are exchanges with an
    effect in the server: a request that is forwarded opens them, its answer closes them.
    """

    data: bytes
    events: tuple[Event, ...] = ()
    reply: bytes = b""
    opens: tuple[int, ...] = ()
    closes: tuple[int, ...] = ()


class Machine(Protocol):
    """One connection's conversation. Neither method ever raises, whatever the bytes are."""

    def to_server(self, data: bytes) -> list[Piece]:
        """Bytes from the client; `b""` is end of file."""
        ...

    def to_client(self, data: bytes) -> list[Piece]:
        """Bytes from the server; `b""` is end of file."""
        ...
