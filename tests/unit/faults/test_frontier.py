"""The frontier: the broker's offsets, or what the wire showed where the broker fails."""

from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.events import GroupNamed, OffsetCommitAnswered, RecordsFetched
from killpoint.faults.frontier import FrontierEntry, frontier_of
from killpoint.faults.position import Position, Span, TopicPartition
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Piece
from tests.support.fakes import GROUP, PLACE, FakeBroker, World


class Failing(FakeBroker):
    async def committed(self, group: str) -> dict[TopicPartition, int]:
        raise EnvironmentFailed("no coordinator")


async def watched(world: World, *groups: str) -> Watch:
    """A watch whose target fetched 0-2, and was told that offset 2 is saved."""
    watch = world.watched()
    for group in groups:
        await watch.prepare_groups(Piece(b"", (GroupNamed(group),)))
    saved = OffsetCommitAnswered(1, GROUP, (Position("clicks", 0, 2),))
    watch.see("kafka", 1, Piece(b"", (RecordsFetched(1, (Span("clicks", 0, 0, 3),)), saved)))
    return watch


async def test_the_committed_offset_is_that_of_the_broker() -> None:
    world = World()
    world.broker.offsets[GROUP][PLACE] = 3
    watch = await watched(world, GROUP)
    assert await frontier_of(world.stage, watch) == (FrontierEntry("clicks", 0, 3, 3, 6),)


async def test_partitions_that_nobody_touched_are_there_in_order() -> None:
    world = World()
    world.stage.ends = {TopicPartition("clicks", 1): 4, PLACE: 6}
    found = await frontier_of(world.stage, await watched(world))
    assert found == (
        FrontierEntry("clicks", 0, 3, None, 6),
        FrontierEntry("clicks", 1, None, None, 4),
    )


async def test_every_group_is_asked() -> None:
    world = World()
    other = TopicPartition("orders", 0)
    world.stage.ends = {PLACE: 6, other: 2}
    world.broker.offsets["one"][PLACE] = 1
    world.broker.offsets["two"][other] = 2
    found = await frontier_of(world.stage, await watched(world, "one", "two"))
    assert [entry.committed for entry in found] == [1, 2]


async def test_a_broker_that_fails_is_replaced_by_the_wire() -> None:
    world = World()
    world.stage.broker = Failing([])
    watch = await watched(world, GROUP)
    assert [entry.committed for entry in await frontier_of(world.stage, watch)] == [2]
