"""The stage closes every edge, whatever their number."""

from tests.support.fakes import World


async def test_every_edge_is_closed() -> None:
    world = World()
    await world.stage.close_connections()
    assert world.calls == ["close kafka", "close postgres"]
