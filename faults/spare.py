"""The spare: the replacement of a target, started beforehand and parked until the first is dead.

Counterpart: `run` asks for one while faults are still to come, and lets it stand in after a crash.
It is a target of its own (its own tree of processes, its own log) with berths of its own for
addresses, so nothing that it says reaches a server, or the watch, before that. A program that looks
at files, clocks or leases when it starts sees the world before the crash: hence a user must ask.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from killpoint.faults.berth import Berth
from killpoint.faults.environment import Address
from killpoint.faults.proxy import Proxy
from killpoint.faults.stage import Launch
from killpoint.faults.target import Exit, Target, TargetError

SpareLaunch = Callable[[str, str, Mapping[str, Address]], Launch]
"""Command and environment for a database, a group, and the address of each edge by its name."""


class Spare:
    """Keeps one replacement ready at a time. `target` and the one that it replaces change places.

    `ended`: how a replacement ended that was not needed yet; the start after it was a cold one.
    """

    def __init__(self, target: Target, launch: SpareLaunch) -> None:
        self.ended: Exit | None = None
        self._target = target
        self._launch = launch
        self._exit: asyncio.Future[Exit] | None = None
        self._parked: list[Berth] = []
        self._serving: list[Berth] = []

    def log_to(self, path: Path) -> None:
        """Where the output of the second target goes, which is every other incarnation."""
        self._target.log_to(path)

    async def prepare(self, proxies: Sequence[Proxy], database: str, group: str) -> None:
        """Start a replacement; returns as soon as its program runs.

        One that cannot be started is none: the start after the crash says why.
        """
        self._parked = [Berth(proxy) for proxy in proxies]
        addresses = {berth.proxy.edge: await berth.listen() for berth in self._parked}
        launch = self._launch(database, group, addresses)
        try:
            await self._target.start(launch.command, launch.environment)
        except TargetError:
            await self._dismiss()
            return
        self._exit = asyncio.ensure_future(self._target.exited())

    async def stand_in(self, dead: Target) -> Target | None:
        """Let the replacement in and return it; None if there is none, or it has ended.

        What has served the dead target is closed. The edges must be open.
        """
        self.ended = None
        await _close(self._serving)
        if self._exit is None:
            return None
        if self._exit.done():
            self.ended = self._exit.result()
            await self._dismiss()
            return None
        self._exit.cancel()
        self._exit = None
        for berth in self._parked:
            berth.open()
        self._serving, self._parked = self._parked, []
        alive, self._target = self._target, dead
        return alive

    async def clear(self) -> None:
        """End the replacement that was not needed, and close every berth."""
        await self._dismiss()
        await _close(self._serving)

    async def _dismiss(self) -> None:
        if self._exit is not None:
            self._exit.cancel()
            self._exit = None
            await self._target.kill()
        await _close(self._parked)


async def _close(berths: list[Berth]) -> None:
    for berth in berths:
        await berth.close()
    berths.clear()
