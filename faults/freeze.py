"""The freeze: which edges hold what they carry, all or one of them.

Owns no sockets and starts no tasks. Counterpart: the legs ask it, by the watch, before they
forward.
"""

import asyncio


class Freeze:
    """Open at first. `edge` is the one that is held alone; None: all are, if any."""

    def __init__(self) -> None:
        self.frozen = False
        """Whether any edge is held."""
        self._edge: str | None = None
        self._moved = asyncio.Event()

    def holds(self, edge: str) -> bool:
        """Whether nothing may be forwarded on this edge."""
        return self.frozen and self._edge in (None, edge)

    def freeze(self, edge: str | None = None) -> None:
        """Hold this edge and open the others, or hold all."""
        self.frozen, self._edge = True, edge
        self._tell()

    def thaw(self) -> None:
        """Open all edges."""
        self.frozen = False
        self._tell()

    async def thawed(self, edge: str) -> None:
        """Wait until this edge is open."""
        while self.holds(edge):
            await self._moved.wait()

    def _tell(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
