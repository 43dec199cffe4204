"""Burial: nothing of a dead target is left that could disturb the next one."""

from killpoint.faults.burial import bury
from killpoint.faults.environment import BackendState
from killpoint.faults.events import BackendStarted, Joined, Left, MemberNamed, MemberUnnamed
from killpoint.faults.wire.piece import Piece
from tests.support.fakes import World


async def test_its_backends_and_members_are_forgotten() -> None:
    world = World()
    watch = world.watched()
    watch.see("kafka", 1, Piece(b"", (Joined("g", "one", None, "classic", 1),)))
    watch.see("postgres", 1, Piece(b"", (BackendStarted(7),)))
    world.database.living[7] = BackendState(7, True, False, False)
    assert await bury(world.stage, watch) == ()
    assert world.calls == ["close kafka", "close postgres", "remove one"]
    world.calls.clear()
    assert await bury(world.stage, watch) == ()
    assert "remove one" not in world.calls


async def test_only_members_that_have_not_left_are_removed() -> None:
    world = World()
    watch = world.watched()
    for member, instance in (("one", None), ("two", "static"), ("three", None)):
        watch.see("kafka", 1, Piece(b"", (Joined("g", member, instance, "consumer", 1),)))
    watch.see("kafka", 1, Piece(b"", (Left("g", "three"),)))
    await bury(world.stage, watch)
    assert [call for call in world.calls if call.startswith("remove")] == ["remove one"]


async def test_who_still_waits_to_join_is_removed_too() -> None:
    world = World()
    watch = world.watched()
    watch.see("kafka", 1, Piece(b"", (MemberNamed("g", "one", None, "classic"),)))
    watch.see("kafka", 2, Piece(b"", (MemberUnnamed("g"),)))
    world.broker.unnamed = ["two"]
    await bury(world.stage, watch)
    assert world.calls[1:] == ["close postgres", "members of g", "remove one", "remove two"]
    world.calls.clear()
    await bury(world.stage, watch)
    assert "members of g" not in world.calls


async def test_only_backends_that_still_live_are_ghosts() -> None:
    world = World(ghosts=True)
    watch = world.watched()
    watch.see("postgres", 1, Piece(b"", (BackendStarted(7),)))
    watch.see("postgres", 2, Piece(b"", (BackendStarted(8),)))
    world.database.living[8] = BackendState(8, False, True, True)
    assert await bury(world.stage, watch) == ("backend 8 still runs",)
