"""Hooks: programs of the user's around a run and after each start of the target.

Counterpart: the session says what they are and runs them; the run asks when. One that fails makes
the run inconclusive: what it was to bring about is not there.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from killpoint.faults.ending import End, Ending
from killpoint.faults.stage import HookFailed, Hooks, Launch


@dataclass(slots=True)
class RunHooks:
    """The hooks of one run, on its own database and group."""

    hooks: Hooks
    database: str
    group: str
    _task: asyncio.Task[Ending | None] | None = None

    async def before(self) -> Ending | None:
        """Before the target's first start; an ending if it failed."""
        return await self._once("[hooks] before_scenario", self.hooks.before)

    async def after(self) -> Ending | None:
        """After the target is gone for good; an ending if it failed."""
        return await self._once("[hooks] after_scenario", self.hooks.after)

    async def started(self, launch: Launch) -> None:
        """The target was started: its hook runs beside it, the one of the life before is ended."""
        await self.close()
        if launch.after_start is not None:
            running = self._run("[target] after_start", launch.after_start)
            self._task = asyncio.ensure_future(running)

    @property
    def running(self) -> bool:
        """Whether the hook of this life is still at work."""
        return self._task is not None and not self._task.done()

    @property
    def failed(self) -> Ending | None:
        """The ending if the hook of this life failed."""
        return self._task.result() if self._task is not None and self._task.done() else None

    async def close(self) -> None:
        """End what is still running."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _once(self, name: str, launch: Callable[[str, str], Launch] | None) -> Ending | None:
        return None if launch is None else await self._run(name, launch(self.database, self.group))

    async def _run(self, name: str, launch: Launch) -> Ending | None:
        try:
            await self.hooks.run(launch)
        except HookFailed as error:
            by_hand = f"run it by hand: {' '.join(launch.command)}"
            return Ending(End.INCONCLUSIVE, f"{name} failed: {error}", by_hand)
        return None
