"""Free ports of the loopback, kept for a server until it listens.

A port that was only looked up can be taken by another program before the server binds it. Here the
socket stays bound, without listening: with SO_REUSEADDR on both sides Linux lets the server bind
the same port, while nobody who asks for any port is given it (socket(7), ip(7)).
"""

import socket
from types import TracebackType
from typing import Final, Self

LOOPBACK: Final = "127.0.0.1"


class Ports:
    """Ports reserved on the loopback; a context manager that lets go of them at its end."""

    def __init__(self, count: int) -> None:
        self._sockets: list[socket.socket] = []
        for _ in range(count):
            self._sockets.append(_bound())

    @property
    def numbers(self) -> list[int]:
        """The ports, each a different one."""
        return [int(kept.getsockname()[1]) for kept in self._sockets]

    def close(self) -> None:
        """Let go of the ports; a server that listens on one keeps it."""
        for kept in self._sockets:
            kept.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _bound() -> socket.socket:
    kept = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept.bind((LOOPBACK, 0))
    return kept
