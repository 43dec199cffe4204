"""The topics of a subject: filled once, told apart from what the target adds, brought back."""

import asyncio
from pathlib import Path

import pytest

from killpoint.cli.errors import UserError
from killpoint.cli.session.compensation import EVENTS_LIMIT
from killpoint.cli.session.subject import Source
from killpoint.cli.session.topics import Topics
from killpoint.faults.position import TopicPartition
from killpoint.faults.record import Record
from tests.support.examined import FakeEnvironment, clicks, subject_in
from tests.support.fakes import TOPIC, World


def topics_in(world: World, folder: Path, *sources: Source) -> Topics:
    return Topics(subject_in(folder, sources=sources or None), FakeEnvironment(world))


async def test_lanes_that_share_topics_fill_them_once(tmp_path: Path) -> None:
    world = World()
    topics = topics_in(world, tmp_path)
    await asyncio.gather(topics.fill(), topics.fill())
    await topics.fill()
    assert world.calls == [f"create topics {TOPIC}"]
    assert len(topics.first) == 6
    assert topics.ledger.ends(topics.partitions) == {TopicPartition(TOPIC, 0): 6}


async def test_what_nobody_produced_comes_from_the_target(tmp_path: Path) -> None:
    world = World()
    topics = topics_in(world, tmp_path)
    await topics.fill()
    await world.broker.produce([Record(TOPIC, 0, 0, b"k", b"{}")])
    await topics.read()
    assert [record.origin for record in topics.first] == ["killpoint"] * 6 + ["target"]


async def test_only_a_source_among_the_written_topics_changes_the_ledger(tmp_path: Path) -> None:
    topics = topics_in(World(), tmp_path)
    await topics.fill()
    assert not topics.written(frozenset())
    assert not topics.written(frozenset({"totals"}))
    assert topics.written(frozenset({TOPIC, "totals"}))


async def test_topics_are_made_anew_only_after_a_target_wrote(tmp_path: Path) -> None:
    world = World()
    topics = topics_in(world, tmp_path)
    await topics.fill()
    assert not await topics.reset()
    await world.broker.produce([Record(TOPIC, 0, 0, b"k", b"{}")])
    topics.written(frozenset({TOPIC, "totals"}))
    assert await topics.reset()
    assert "delete topics clicks, totals" in world.calls
    assert [record.origin for record in topics.first] == ["killpoint"] * 6
    assert not await topics.reset()


async def test_late_events_come_when_they_are_asked_for(tmp_path: Path) -> None:
    world = World()
    topics = topics_in(world, tmp_path, Source(TOPIC, 1, True, clicks(), late=2))
    await topics.fill()
    assert (len(topics.first), len(topics.first_and_late)) == (4, 6)
    assert not await topics.reset()
    assert (await topics.produce_late()).ends(topics.partitions) == {TopicPartition(TOPIC, 0): 6}
    assert (len(topics.first), len(topics.first_and_late)) == (6, 6)
    assert {record.origin for record in topics.first} == {"killpoint"}


async def test_late_events_are_taken_back_for_the_next_run(tmp_path: Path) -> None:
    topics = topics_in(World(), tmp_path, Source(TOPIC, 1, True, clicks(), late=9))
    await topics.fill()
    assert topics.first == []
    await topics.produce_late()
    assert await topics.reset()
    assert topics.first == []
    assert len(topics.late) == 6


async def test_of_many_records_only_the_first_are_kept_beside_the_ledger(tmp_path: Path) -> None:
    world = World()
    topics = topics_in(world, tmp_path, Source(TOPIC, 1, True, clicks(EVENTS_LIMIT + 5), late=2))
    await topics.fill()
    assert [record.offset for record in topics.first] == list(range(EVENTS_LIMIT))
    assert topics.ledger.count == EVENTS_LIMIT + 3
    await world.broker.produce([Record(TOPIC, 0, 0, b"k", b"{}")])
    await topics.produce_late()
    _, rows = topics.ledger.query("select \"offset\" from events where origin = 'target'")
    assert rows == [(EVENTS_LIMIT + 3,)]
    assert topics.ledger.count == EVENTS_LIMIT + 6


async def test_every_partition_of_every_source_is_named(tmp_path: Path) -> None:
    sources = (Source("a", 2, True, clicks(1)), Source("b", 1, True, ()))
    topics = topics_in(World(), tmp_path, *sources)
    assert [str(place) for place in topics.partitions] == ["a-0", "a-1", "b-0"]


async def test_a_producer_that_fails_is_told_with_its_key(tmp_path: Path) -> None:
    failing = ("{python}", "-c", "import sys; sys.exit('no events today')")
    topics = topics_in(World(), tmp_path, Source(TOPIC, 1, True, produce=failing))
    with pytest.raises(UserError) as told:
        await topics.fill()
    assert told.value.what == "[source] produce failed"
    assert "no events today" in (told.value.why or "")
