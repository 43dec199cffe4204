"""The lives of the target: each start is told, and its end is waited for."""

import asyncio

import pytest

from killpoint.faults.history import Note
from killpoint.faults.hooks import RunHooks
from killpoint.faults.lives import Lives
from killpoint.faults.target import Exit, TargetError
from tests.support.fakes import GROUP, Consumer, Wire, World

LIMIT_SECONDS = 5.0


def lives_of(world: World, told: list[bool] | None = None) -> Lives:
    stage = world.stage
    hooks = RunHooks(stage.hooks, "template", GROUP)
    awaits = None if told is None else told.append
    return Lives(stage, world.watched(), hooks, "template", GROUP, (), awaits=awaits)


async def test_a_start_is_told_and_once_that_it_was_heard_of() -> None:
    told: list[bool] = []
    lives = lives_of(World([Consumer()]), told)
    await lives.start()
    assert (lives.alive, told) == (True, [True])
    lives.heard()
    assert told == [True]
    async with asyncio.timeout(LIMIT_SECONDS):
        while lives.watch.progress.life.joined is None:
            await lives.watch.changed(0.1)
    lives.heard()
    lives.heard()
    assert told == [True, False]
    await lives.close()


async def test_an_end_by_itself_is_seen_and_that_of_the_life_before_forgotten() -> None:
    async def crash(wire: Wire) -> Exit:
        return Exit(3)

    lives = lives_of(World([crash, Consumer()]))
    await lives.start()
    first = lives.ended
    async with asyncio.timeout(LIMIT_SECONDS):
        assert await first == Exit(3)
    assert lives.ended_meanwhile
    await lives.start()
    assert not lives.ended_meanwhile
    await lives.close()
    assert lives.ended.cancelled()


async def test_a_start_that_is_refused_is_noted_and_raised() -> None:
    world = World([Consumer()])
    world.target.refusal = TargetError("no such program")
    lives = lives_of(world)
    with pytest.raises(TargetError):
        await lives.start()
    assert not lives.alive
    last = lives.watch.history.lines[-1]
    assert isinstance(last, Note)
    assert last.text == "not started: no such program"
