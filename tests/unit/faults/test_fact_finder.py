"""The facts of a judgement: ends that move, replicas that are awaited, the load that scales."""

from dataclasses import replace

import pytest

from killpoint.faults.events import FetchAsked, Joined, ProduceAnswered, Subscribed
from killpoint.faults.fact_finder import FactFinder
from killpoint.faults.position import Position, Span, TopicPartition
from killpoint.faults.wire.piece import Piece
from tests.support.fakes import KNOWN, PLACE, World

RETRY, EMPTY = TopicPartition("retry", 0), TopicPartition("clicks", 1)
PRODUCED = ProduceAnswered(1, None, (Span("retry", 0, 0, 2),))


def finder_of(world: World, *, late: bool = False) -> FactFinder:
    return FactFinder(world.stage, world.watched(), "run", None, patient=False, late_awaited=late)


async def ends_of(finder: FactFinder) -> dict[TopicPartition, int]:
    return dict((await finder.facts(alive=True)).ends)


async def test_what_it_writes_to_a_topic_that_it_reads_moves_the_end() -> None:
    finder = finder_of(World())
    before = await ends_of(finder)
    finder.watch.see("kafka", 1, Piece(b"", (PRODUCED,)))
    assert await ends_of(finder) == before
    finder.watch.see("kafka", 1, Piece(b"", (Subscribed("g", frozenset({"retry"})),)))
    assert await ends_of(finder) == {**before, RETRY: 2}


async def test_a_topic_beside_counts_as_soon_as_it_is_asked_for() -> None:
    world = World()
    world.stage.topics_beside = frozenset({"retry"})
    finder = finder_of(world)
    finder.watch.see("kafka", 1, Piece(b"", (PRODUCED,)))
    before = await ends_of(finder)
    finder.watch.see("kafka", 1, Piece(b"", (FetchAsked((Position("retry", 0, 0),)),)))
    assert await ends_of(finder) == {**before, RETRY: 2}


async def test_empty_partitions_count_only_while_events_are_to_come() -> None:
    world = World()
    world.stage.ends = {**world.stage.ends, EMPTY: 0}
    assert EMPTY not in await ends_of(finder_of(world))
    late = finder_of(world, late=True)
    assert EMPTY in await ends_of(late)
    late.late_awaited = False
    assert EMPTY not in await ends_of(late)


async def test_a_start_that_takes_longer_than_in_the_clean_runs_is_a_load() -> None:
    finder = finder_of(World())
    finder.watch.see("kafka", 1, Piece(b"", (Joined("g", "m", None, "classic", 1),)))
    life = finder.watch.progress.life
    assert life.joined is not None
    took = life.joined - life.started
    for seconds, load in ((took / 3, 3.0), (took * 2, 1.0), (took / 1000, 10.0)):
        finder.calibration = replace(KNOWN, join_seconds=seconds)
        assert finder.load() == pytest.approx(load)


async def test_replicas_that_have_ended_for_good_are_not_awaited() -> None:
    world = World()
    finder = finder_of(world)
    finder.calibration = replace(KNOWN, replicas=3)
    assert finder.replicas_awaited() == 3
    finder.retired.add(2)
    assert finder.replicas_awaited() == 2
    assert PLACE in await ends_of(finder)
