"""The freeze: which connections hold what they carry, all of them or one.

Owns no sockets and starts no tasks. Counterpart: the legs ask it, by the watch, before they
forward.
"""

import asyncio

from killpoint.faults.gate import Connection


class Freeze:
    """Open at first. `only`: the connection that is held alone; None: all are, if any."""

    def __init__(self) -> None:
        self.frozen = False
        """Whether any connection is held."""
        self.only: Connection | None = None
        self._moved = asyncio.Event()

    def holds(self, at: Connection) -> bool:
        """Whether nothing may be forwarded on this connection."""
        return self.frozen and self.only in (None, at)

    def freeze(self, only: Connection | None = None) -> None:
        """Hold this connection and open the others, or hold all."""
        self.frozen, self.only = True, only
        self._tell()

    def thaw(self) -> None:
        """Open all."""
        self.frozen, self.only = False, None
        self._tell()

    async def thawed(self, at: Connection) -> None:
        """Wait until this connection is open."""
        while self.holds(at):
            await self._moved.wait()

    def _tell(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
