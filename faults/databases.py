"""The databases of a lane's runs: copies of the template, made, and dropped again.

Counterpart: `run` says when. A run's can be made ahead, while the run before has nothing to do but
wait, and dropped behind, while the next target comes up. No target notices either.
"""

import asyncio
from dataclasses import dataclass, field

from killpoint.faults.environment import DatabaseServer
from killpoint.faults.neighbours import Neighbours


@dataclass(slots=True)
class Databases:
    """A run's databases go by the name of the main one. All raise EnvironmentFailed."""

    server: DatabaseServer
    template: str
    neighbours: Neighbours
    _ahead: tuple[str, asyncio.Future[None]] | None = field(init=False, default=None)
    _behind: asyncio.Future[None] | None = field(init=False, default=None)

    async def make(self, database: str) -> None:
        """Make those of a run, or wait for them where they were begun ahead."""
        await self._dropped()
        if self._ahead is None or self._ahead[0] != database:
            await self._copy(database)
        else:
            # If this is cancelled, they are still ahead, and `close` drops them.
            await asyncio.shield(self._ahead[1])
            self._ahead = None

    def make_ahead(self, database: str, current: str) -> None:
        """Begin to make those of the next run, once; not if one has the name of a current one."""
        shared = set(self.neighbours.all(database)) & set(self.neighbours.all(current))
        if self._ahead is None and not shared:
            self._ahead = database, asyncio.ensure_future(self._copy(database))

    async def drop(self, database: str) -> None:
        """Drop those of a run, or what there is of them."""
        for name in self.neighbours.all(database):
            await self.server.drop(name)

    async def drop_behind(self, database: str) -> None:
        """Begin to drop those of a run that is over, when the drop before has ended."""
        await self._dropped()
        self._behind = asyncio.ensure_future(self.drop(database))

    async def close(self) -> None:
        """Wait for what was begun, and drop what was made ahead for a run that never came."""
        await self._dropped()
        if self._ahead is not None:
            (database, made), self._ahead = self._ahead, None
            await asyncio.wait({made})
            await self.drop(database)
            made.result()

    async def _copy(self, database: str) -> None:
        for name, template in self.neighbours.copies(database, self.template):
            await self.server.create(name, template)

    async def _dropped(self) -> None:
        if self._behind is None:
            return
        behind = self._behind
        try:
            await asyncio.shield(behind)
        finally:
            if behind.done():
                self._behind = None
