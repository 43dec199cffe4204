"""The work is held until an offset has passed, then the target dies."""

import asyncio
from dataclasses import replace

from killpoint.faults.actions.overtake import overtake
from killpoint.faults.history import Note
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.scenario import Fault
from killpoint.faults.watch import Watch
from tests.support.fakes import BATCH, GROUP, PLACE, Consumer, Wire, World

HELD = Fault(parse_moment("postgres.commit#1:before"), "overtake")


class Timed(Consumer):
    """It counts a batch; while that is held a timer saves the offset of what was fetched."""

    async def _batch(self, wire: Wire, start: int) -> None:
        await asyncio.gather(self.count(wire, start), self._tick(wire, start + BATCH))

    async def _tick(self, wire: Wire, offset: int) -> None:
        while not wire.watch.frozen:
            await wire.watch.changed(0.01)
        await self.save(wire, offset)


async def at_the_moment(world: World) -> Watch:
    watch = world.watched(HELD)
    await world.target.start(("counter",), {"DATABASE": "template"})
    async with asyncio.timeout(5.0):
        await watch.met()
    return watch


def notes(watch: Watch) -> list[str]:
    return [line.text for line in watch.history.lines if isinstance(line, Note)]


async def test_an_offset_passes_what_is_held() -> None:
    world = World([Timed()])
    watch = await at_the_moment(world)
    assert world.broker.offsets[GROUP].get(PLACE) is None
    crash = await overtake(world.stage, watch)
    assert world.broker.offsets[GROUP][PLACE] == BATCH
    assert "an offset has passed" in notes(watch)
    assert world.database.rows["template"] == 0, "the commit that was held is never sent"
    assert [entry.committed for entry in crash.frontier] == [BATCH]
    assert watch.frozen
    assert crash.passed is not None


async def test_offsets_that_wait_for_the_work_do_not_pass() -> None:
    world = World([Consumer()])
    world.stage.patience = replace(world.stage.patience, overtake_seconds=0.05)
    watch = await at_the_moment(world)
    crash = await overtake(world.stage, watch)
    assert "no offset has passed in 0.1 s" in notes(watch)
    assert [entry.committed for entry in crash.frontier] == [None]
    assert crash.passed is not None
