"""The world of a subject: its template, its stage, and the ledger that the audits use."""

from pathlib import Path

import pytest

from killpoint.checks.check import Check
from killpoint.checks.outcome import Outcome
from killpoint.cli.errors import UserError
from killpoint.cli.session.subject import Source, Subject
from killpoint.cli.session.topics import Topics
from killpoint.cli.session.world import World
from killpoint.faults.environment import Account, QueryFailed
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.record import Record
from killpoint.faults.stage import Stage
from tests.support.examined import COUNTED, FakeEnvironment, clicks, lane_in, subject_in
from tests.support.fakes import TOPIC
from tests.support.fakes import World as Memory


def world_of(memory: Memory, subject: Subject) -> World:
    environment = FakeEnvironment(memory)
    topics = Topics(subject, environment)
    return World(subject, environment, "r-1", topics)


async def stage_of(memory: Memory, world: World) -> Stage:
    await world.prepare()
    return world.stage(lane_in(memory), memory.target)


async def test_the_template_has_the_schema_and_a_name_that_sql_takes(tmp_path: Path) -> None:
    memory = Memory()
    world = world_of(memory, subject_in(tmp_path, schema="create table t ()"))
    await world.prepare()
    assert world.template == "killpoint_r_1_template"
    made = [call for call in memory.calls if world.template in call]
    assert made == [f"create {world.template}", f"execute in {world.template}: create table t ()"]


async def test_a_schema_that_fails_is_told_as_the_users(tmp_path: Path) -> None:
    memory = Memory()
    memory.database.answers["bad"] = QueryFailed("syntax error")
    with pytest.raises(UserError, match="schema failed") as told:
        await world_of(memory, subject_in(tmp_path, schema="bad")).prepare()
    assert told.value.why == "syntax error"


async def test_the_migration_runs_on_the_template_past_the_proxies(tmp_path: Path) -> None:
    memory = Memory()
    script = "import os; open('asked', 'w').write(os.environ['DATABASE_URL'])"
    world = world_of(memory, subject_in(tmp_path, migrate=("{python}", "-c", script)))
    await world.prepare()
    asked = (tmp_path / "asked").read_text(encoding="utf-8")
    assert "postgres.internal" in asked and asked.endswith(world.template)


async def test_the_stage_starts_groups_where_the_source_says(tmp_path: Path) -> None:
    sources = (Source(TOPIC, 2, True), Source("orders", 1, False))
    memory = Memory()
    stage = await stage_of(memory, world_of(memory, subject_in(tmp_path, sources=sources)))
    assert stage.start_positions == (Position(TOPIC, 0, 0), Position(TOPIC, 1, 0))
    places = [TopicPartition(TOPIC, 0), TopicPartition(TOPIC, 1), TopicPartition("orders", 0)]
    assert list(stage.ends) == places


async def test_the_target_is_sent_through_the_proxies_and_never_past_them(tmp_path: Path) -> None:
    memory = Memory()
    stage = await stage_of(memory, world_of(memory, subject_in(tmp_path)))
    environment = stage.launch("db_1", "group").environment
    assert environment["KAFKA_BOOTSTRAP_SERVERS"] == "127.0.0.1:19092"
    assert (environment["PGHOST"], environment["PGPORT"]) == ("127.0.0.1", "1")
    assert environment["PGDATABASE"] == "db_1"
    assert stage.direct_addresses == {("broker", 9092), ("postgres.internal", 5432)}


async def test_events_that_the_target_adds_are_expected_where_the_query_names_them(
    tmp_path: Path,
) -> None:
    memory = Memory()
    all_of_them = "select count(*) as total from events where origin is not null"
    check = Check("events", all_of_them, COUNTED.actual)
    world = world_of(memory, subject_in(tmp_path, checks=(check,)))
    await world.prepare()
    memory.database.rows["db"] = 6
    assert (await world.audit("db", frozenset())).outcome is Outcome.CLEAN
    await memory.broker.produce([Record(TOPIC, 0, 0, b"k", b"{}")])
    assert (await world.audit("db", frozenset())).outcome is Outcome.CLEAN
    assert (await world.audit("db", frozenset({TOPIC}))).outcome is Outcome.LOST


async def test_after_a_reset_the_first_events_are_expected_again(tmp_path: Path) -> None:
    memory = Memory()
    world = world_of(memory, subject_in(tmp_path))
    stage = await stage_of(memory, world)
    await memory.broker.produce([Record(TOPIC, 0, 0, b"k", b"{}")])
    memory.database.rows["db"] = 6
    await world.audit("db", frozenset({TOPIC}))
    assert stage.reset_topics is not None
    await stage.reset_topics()
    assert (await world.audit("db", frozenset())).outcome is Outcome.CLEAN


async def test_late_events_are_expected_once_they_have_come(tmp_path: Path) -> None:
    memory = Memory()
    sources = (Source(TOPIC, 1, True, clicks(), late=2),)
    world = world_of(memory, subject_in(tmp_path, sources=sources))
    stage = await stage_of(memory, world)
    assert stage.late is not None
    assert stage.ends == stage.late.ends == {TopicPartition(TOPIC, 0): 4}
    memory.database.rows["db"] = 4
    assert (await world.audit("db", frozenset())).outcome is Outcome.CLEAN
    assert await stage.late.produce() == {TopicPartition(TOPIC, 0): 6}
    assert (await world.audit("db", frozenset())).outcome is Outcome.LOST
    assert stage.reset_topics is not None
    await stage.reset_topics()
    assert (await world.audit("db", frozenset())).outcome is Outcome.CLEAN


async def test_without_late_events_there_are_none_to_come(tmp_path: Path) -> None:
    memory = Memory()
    assert (await stage_of(memory, world_of(memory, subject_in(tmp_path)))).late is None


async def test_a_target_with_an_account_built_in_finds_just_that(tmp_path: Path) -> None:
    memory = Memory()
    world = world_of(memory, subject_in(tmp_path))
    world.account = Account("shop", "app", "secret")
    stage = await stage_of(memory, world)
    assert memory.calls.index("admit app") < memory.calls.index(f"create {world.template}")
    assert [world.database_of(number) for number in ("1_1", "2_1")] == ["shop", "shop"]
    environment = stage.launch("shop", "group").environment
    assert environment["DATABASE_URL"] == "postgresql://app:secret@127.0.0.1:1/shop"


async def test_the_template_is_dropped(tmp_path: Path) -> None:
    memory = Memory()
    world = world_of(memory, subject_in(tmp_path))
    await world.prepare()
    await world.drop()
    assert memory.calls[-1] == f"drop {world.template}"


async def test_what_an_image_has_filled_is_where_the_template_starts(tmp_path: Path) -> None:
    memory = Memory()
    memory.database.rows["shop"] = 0
    world = world_of(memory, subject_in(tmp_path, account=Account("shop")))
    await world.prepare()
    made = [call for call in memory.calls if call.endswith("shop")]
    assert made == [f"create {world.template} from shop", "drop shop"]
    assert not await memory.database.exists("shop")
