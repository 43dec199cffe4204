"""An orderly stop: what the target says on its way out still reaches the servers."""

import asyncio

from killpoint.faults.actions.terminate import terminate
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.scenario import Fault
from killpoint.faults.target import Exit
from killpoint.faults.watch import Watch
from tests.support.fakes import GROUP, PLACE, Consumer, Wire, World

COMMITTED = Fault(parse_moment("postgres.commit#1:after"), "terminate")


async def at_the_moment(world: World) -> Watch:
    watch = world.watched(COMMITTED)
    await world.target.start(("counter",), {"DATABASE": "template"})
    async with asyncio.timeout(5.0):
        await watch.met()
    world.calls.clear()
    return watch


async def test_the_order_inside_a_terminate() -> None:
    world = World([Consumer()])
    watch = await at_the_moment(world)
    crash = await terminate(world.stage, watch)
    assert [call for call in world.calls if not call.startswith("committed")] == [
        "freeze",
        "terminate within 0.2 s",
        "kill",
        "close kafka",
        "close postgres",
        "remove member",
    ]
    assert crash.ended == Exit(0)
    assert crash.prepared == ()


async def test_the_edges_are_open_while_it_ends_and_closed_afterwards() -> None:
    world = World([Consumer()])
    watch = await at_the_moment(world)
    assert watch.frozen

    async def close_and_save() -> Exit:
        await Consumer().save(Wire(world, watch, "template"), 6)
        return Exit(None, 15)

    world.target.terminated = close_and_save
    async with asyncio.timeout(5.0):
        crash = await terminate(world.stage, watch)
    assert watch.frozen
    assert world.broker.offsets[GROUP][PLACE] == 6
    assert crash.ended == Exit(None, 15)
    assert [entry.committed for entry in crash.frontier] == [None]


async def test_no_second_moment_is_met_on_the_way_out() -> None:
    world = World([Consumer()])
    moment = Fault(parse_moment("kafka.offset_commit#1:after"), "kill")
    watch = world.watched(COMMITTED, moment)
    await world.target.start(("counter",), {"DATABASE": "template"})
    async with asyncio.timeout(5.0):
        await watch.met()

        async def save() -> Exit:
            await Consumer().save(Wire(world, watch, "template"), 6)
            return Exit(0)

        world.target.terminated = save
        await terminate(world.stage, watch)
    assert watch.gate.waiting == (moment,)
