"""What goes past killpoint is named; what goes through it is not."""

from pathlib import Path

from killpoint.faults.environment import Address
from killpoint.faults.unseen import past_killpoint, unseen_by
from tests.support.fakes import World


async def test_connections_past_the_proxies_are_named_once() -> None:
    world = World()
    world.stage.direct_addresses = frozenset({("broker", 9092)})
    through = Address("127.0.0.1", 19092)
    past = Address("broker", 9092)
    world.target.past = [through, past, past, Address("redis", 6379)]
    assert await past_killpoint(world.stage) == ["broker:9092 (directly)", "redis:6379"]


async def test_files_are_named_after_connections() -> None:
    world = World()
    world.target.past = [Address("redis", 6379)]
    world.target.open_files = [Path("/b"), Path("/a")]
    assert await unseen_by(world.stage) == (
        "a connection to redis:6379",
        "the open file /a",
        "the open file /b",
    )


async def test_nothing_unseen_is_nothing() -> None:
    world = World()
    world.target.past = [Address("127.0.0.1", 15432)]
    assert await unseen_by(world.stage) == ()
