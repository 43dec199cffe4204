"""The lives of the target in one run: it is started, cold or by a spare, and started again.

Where one replica dies alone the others live on, and it is brought back. Counterpart: `run` says
when, and what a life's end means.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from killpoint.faults.hooks import RunHooks
from killpoint.faults.spare import Spare
from killpoint.faults.stage import Stage
from killpoint.faults.target import Exit, TargetError
from killpoint.faults.watch import Watch


@dataclass(slots=True)
class Lives:
    """Starts the target of one stage, with this database and group.

    `awaits` is told True at each start, False when the target has joined or asked for records.
    `retired`: the replicas that have ended for good, which nobody waits for.
    """

    stage: Stage
    watch: Watch
    hooks: RunHooks
    database: str
    group: str
    retired: Collection[int]
    spare: Spare | None = None
    awaits: Callable[[bool], None] | None = None
    alive: bool = False
    ended: asyncio.Future[Exit] = field(default_factory=asyncio.Future[Exit])
    """The end of any that lives now."""
    spare_ended: Exit | None = None
    """How a spare ended before it was needed."""
    gone: dict[int, float] = field(default_factory=dict[int, float])
    """The replicas that are to be started again, and since when they are gone."""
    _awaited: bool = False

    @property
    def ended_one(self) -> int | None:
        """The replica that has ended by itself, where it is started again alone."""
        return None if self.stage.several is None else self.stage.several.ended

    @property
    def ended_meanwhile(self) -> bool:
        """Whether one that was taken for alive has ended by itself."""
        return self.alive and self.ended.done()

    async def start(self) -> None:
        """Start the target (again), and a spare where a fault is still to come."""
        self.watch.started()
        if not await self._spare_stands_in():
            await self._start_cold()
        self.alive = True
        self._await_target(True)
        self._look_for_ends()
        if self.spare is not None and self.watch.gate.waiting:
            await self.spare.prepare(self.stage.proxies, self.database, self.group)

    async def go_on_without(self, replica: int) -> None:
        """Let the others go on until a replica is to be started again."""
        self.watch.went_on(replica)
        if replica in self.retired:
            self.watch.progress.life.joined = self.watch.now  # nobody is waited for
        else:
            self.gone[replica] = self.watch.now
        await self.stage.target.thaw()
        self._look_for_ends()

    async def bring_back(self) -> None:
        """Start the replicas that are gone, once the others have what they had, or don't take it.

        Earlier the others would hardly notice: a group learns of a death with its next heartbeat.
        """
        several, launch, life = self.stage.several, self.stage.launch_one, self.watch.progress.life
        if several is None or launch is None or not self.gone:
            return
        waited = self.watch.now - min(self.gone.values())
        if several.living and life.orphans and waited < self.stage.patience.takeover_seconds:
            return
        if life.orphans and several.living:
            self.watch.note("nobody has taken over " + ", ".join(map(str, sorted(life.orphans))))
        for replica in sorted(self.gone):
            started = launch(replica)
            await several.start_one(replica, started.command, started.environment)
            await self.hooks.started(started)
            self.watch.note(f"replica {replica} started")
        self.gone.clear()
        life.started = self.watch.now
        self.alive = True
        self._await_target(True)
        self._look_for_ends()

    def heard(self) -> None:
        """Tell once that the target has joined or asked for records, if it has."""
        if self._awaited and self.watch.progress.life.joined is not None:
            self._await_target(False)

    async def close(self) -> None:
        """No end is waited for any more."""
        self.ended.cancel()
        await asyncio.gather(self.ended, return_exceptions=True)

    def _await_target(self, awaited: bool) -> None:
        self._awaited = awaited
        if self.awaits is not None:
            self.awaits(awaited)

    def _look_for_ends(self) -> None:
        self.ended.cancel()
        several = self.stage.several
        nobody = several is not None and not several.living
        self.ended = (
            asyncio.Future() if nobody else asyncio.ensure_future(self.stage.target.exited())
        )

    async def _start_cold(self) -> None:
        launch = self.stage.launch(self.database, self.group)
        try:
            await self.stage.target.start(launch.command, launch.environment)
        except TargetError as error:
            self.watch.note(f"not started: {error}")
            raise
        await self.hooks.started(launch)

    async def _spare_stands_in(self) -> bool:
        """Whether the replacement that was started beforehand goes on from here."""
        if self.spare is None:
            return False
        alive = await self.spare.stand_in(self.stage.target)
        if alive is not None:
            self.stage.target = alive
            self.watch.note("the spare stands in")
        elif self.spare.ended is not None:
            self.spare_ended = self.spare.ended
            self.watch.note(f"the spare ended before it was needed: {self.spare.ended}")
        return alive is not None
