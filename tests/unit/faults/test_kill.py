"""The order of a kill, as a list of what was done; everything else in it rests on that order."""

import asyncio

from killpoint.faults.actions.crash import Crash
from killpoint.faults.actions.kill import kill
from killpoint.faults.environment import BackendState
from killpoint.faults.events import WriteAsked
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.scenario import Fault
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Piece
from tests.support.fakes import GROUP, PLACE, Consumer, World

COMMITTED = Fault(parse_moment("postgres.commit#1:after"), "kill")


async def at_the_moment(world: World) -> Watch:
    """A target whose first commit is answered, and the answer held."""
    watch = world.watched(COMMITTED)
    await world.target.start(("counter",), {"DATABASE": "template"})
    async with asyncio.timeout(5.0):
        await watch.met()
    world.calls.clear()
    return watch


async def killed(world: World) -> Crash:
    return await kill(world.stage, await at_the_moment(world))


async def test_the_order_inside_a_kill() -> None:
    world = World([Consumer()])
    await killed(world)
    assert world.calls == [
        "freeze",
        f"committed offsets of {GROUP}",
        "kill",
        "close kafka",
        "close postgres",
        "remove member",
    ]


async def test_a_static_member_keeps_its_place() -> None:
    world = World([Consumer(instance="counter-1")])
    await killed(world)
    assert "remove member" not in world.calls


async def test_what_was_reached_is_recorded_before_the_kill() -> None:
    world = World([Consumer()])
    world.broker.offsets[GROUP][PLACE] = 0
    crash = await killed(world)
    (entry,) = crash.frontier
    assert (entry.topic, entry.fetched, entry.committed, entry.end) == ("clicks", 6, 0, 6)
    assert (crash.in_flight, crash.ghosts, crash.ended) == ((), (), None)


async def test_the_backend_must_be_gone_before_the_member_is_removed() -> None:
    world = World([Consumer()], ghosts=True)
    crash = await killed(world)
    assert crash.ghosts == ("backend 100 still runs",)
    assert world.calls[-1] == "remove member"


async def test_a_request_that_waits_for_a_lock_is_named() -> None:
    world = World([Consumer()])
    watch = await at_the_moment(world)
    piece = Piece(b"", (WriteAsked(99, 99, frozenset()),), opens=(99,))
    watch.forwarding("postgres", 1, piece)
    world.database.living[100] = BackendState(100, False, True, True)
    crash = await kill(world.stage, watch)
    assert crash.in_flight == ("backend 100 waits for a lock",)
