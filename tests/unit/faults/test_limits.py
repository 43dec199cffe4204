"""What ends a run too early, and that each text says what to do."""

import asyncio

import pytest

from killpoint.faults.drained import Judgement
from killpoint.faults.ending import End, Ending
from killpoint.faults.environment import Address
from killpoint.faults.events import (
    BackendStarted,
    CommitAnswered,
    EncryptionRefused,
    Event,
    FetchAsked,
    ForeignSpeech,
    Joined,
    OffsetCommitAnswered,
    OffsetSought,
    RecordsFetched,
    Subscribed,
    TopicsSought,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.limits import Exits, after_exit, never_came, overdue, still_holding
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.position import Position, Span
from killpoint.faults.scenario import Fault, Scenario
from killpoint.faults.stage import Patience, Restart
from killpoint.faults.target import Exit
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Piece
from tests.support.fakes import World

CLEAN = Scenario("clean-1")
COMMITTED = Fault(parse_moment("postgres.commit#1:after"), "kill")
KILLED = Scenario("S01", (COMMITTED,))
WAITING = Judgement(False, "clicks-0 was fetched up to 3 of 6")
JOINED = Joined("g", "m", None, "classic", 1)
AT_START = FetchAsked((Position("clicks", 0, 0),))
FETCHED = RecordsFetched(1, (Span("clicks", 0, 0, 6),))
OWN_STATE = RecordsFetched(1, (Span("connect-configs", 0, 0, 4),))
NO_PATIENCE = Patience(0.0, 0.0, restart_limit=2)


def saved(offset: int) -> OffsetCommitAnswered:
    return OffsetCommitAnswered(1, "g", (Position("clicks", 0, offset),))


def watch_of(world: World, *events: Event, faults: tuple[Fault, ...] = ()) -> Watch:
    watch = world.watched(*faults)
    for event in events:
        database = isinstance(event, BackendStarted | EncryptionRefused | WriteAnswered)
        watch.see("postgres" if database else "kafka", 1, Piece(b"", (event,)))
    return watch


async def ended(*events: Event, past: Address | None = None, scenario: Scenario = CLEAN) -> Ending:
    """The ending of a run without patience that showed these events."""
    world = World(patience=NO_PATIENCE)
    world.target.past = [past] if past else []
    watch = watch_of(world, *events, faults=scenario.faults)
    ending = await overdue(world.stage, watch, WAITING, scenario)
    assert ending is not None
    return ending


@pytest.mark.parametrize("events", [(), (JOINED,), (JOINED, FETCHED)])
async def test_nothing_is_overdue_before_its_time(events: tuple[Event, ...]) -> None:
    world = World(patience=Patience())
    assert await overdue(world.stage, watch_of(world, *events), WAITING, CLEAN) is None


async def test_a_target_that_commits_writes_is_not_idle() -> None:
    """Offsets in the database: one long fetch is worked off while no position in Kafka moves."""
    world = World(patience=Patience(drain_seconds=0.05))
    watch = watch_of(world, JOINED, FETCHED, faults=KILLED.faults)
    done = (WriteAsked(1, 1, frozenset()), WriteAnswered(1, 1, 1), CommitAnswered(2, 1, False))
    ending = None
    async with asyncio.timeout(10):
        while ending is None:
            assert watch.now < 0.6, "it was not given up in time"
            await asyncio.sleep(0.001)
            for event in done:
                watch.see("postgres", 1, Piece(b"", (event,)))
            ending = await overdue(world.stage, watch, WAITING, KILLED)
    assert watch.now >= 0.5
    assert (ending.end, "still working" in (ending.reason or "")) == (End.INCONCLUSIVE, True)


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ((), "it never connected"),
        ((JOINED,), "it joined, but fetched no event"),
        ((JOINED, OffsetSought("clicks", 0, -1)), "asked for the END of the topic"),
        ((JOINED, OWN_STATE), "it joined, but fetched no event"),
        ((JOINED, FETCHED), "it never logged in to Postgres"),
        ((JOINED, OWN_STATE, FETCHED), "6 events fetched, 0 rows"),
        ((JOINED, FETCHED, BackendStarted(7)), "6 events fetched, 0 rows"),
        ((JOINED, FETCHED, WriteAnswered(1, 1, 1)), "was fetched up to 3 of 6"),
        ((ForeignSpeech("SASL"),), "speaks SASL on kafka"),
        ((EncryptionRefused("TLS"),), "speaks TLS on postgres"),
        ((JOINED, FETCHED, EncryptionRefused("TLS")), "speaks TLS on postgres"),
    ],
)
async def test_each_reason_is_told_with_a_remedy(events: tuple[Event, ...], reason: str) -> None:
    ending = await ended(*events)
    assert ending.end is End.INCONCLUSIVE
    assert reason in (ending.reason or "")
    assert ending.remedy


@pytest.mark.parametrize("events", [(), (JOINED,), (JOINED, FETCHED)])
async def test_connections_past_killpoint_are_named(events: tuple[Event, ...]) -> None:
    ending = await ended(*events, past=Address("redis", 6379))
    assert "redis:6379" in (ending.reason or "")


async def test_connections_that_came_to_nothing_are_counted() -> None:
    world = World(patience=NO_PATIENCE)
    world.stage.proxies[0].accepted = 3
    ending = await overdue(world.stage, watch_of(world), WAITING, CLEAN)
    assert ending is not None and "of its 3 connections" in (ending.reason or "")
    assert "start_timeout" in (ending.remedy or "")


async def test_a_scenario_whose_moment_did_not_come_is_not_stuck() -> None:
    assert (await ended(JOINED, FETCHED, scenario=KILLED)).end is End.INCONCLUSIVE


@pytest.mark.parametrize("events", [(), (JOINED, FETCHED)])
async def test_after_a_fault_the_same_is_stuck(events: tuple[Event, ...]) -> None:
    world = World(patience=NO_PATIENCE)
    watch = watch_of(world)
    watch.started()
    for event in events:
        watch.see("kafka", 1, Piece(b"", (event,)))
    ending = await overdue(world.stage, watch, WAITING, KILLED)
    assert ending is not None and ending.end is End.STUCK


def exits_until_the_end(world: World, watch: Watch, how: Exit, scenario: Scenario) -> int:
    """How often the target exits before the run is given up; `watch` shows nothing new."""
    exits = Exits()
    for number in range(1, 20):
        if after_exit(exits, world.stage, watch, how, scenario) is not None:
            return number
        watch.started()
        watch.see("kafka", 1, Piece(b"", (AT_START, FETCHED)))
    return 20


async def test_a_crash_loop_ends_after_the_limit_though_it_fetches() -> None:
    world = World(patience=NO_PATIENCE)
    watch = watch_of(world, JOINED, AT_START, FETCHED)
    assert exits_until_the_end(world, watch, Exit(1), KILLED) == 1 + NO_PATIENCE.restart_limit


async def test_who_ends_since_it_was_refused_encryption_is_not_started_again() -> None:
    world = World()
    watch = watch_of(world, EncryptionRefused("TLS"))
    ending = after_exit(Exits(), world.stage, watch, Exit(1), CLEAN)
    assert ending is not None and ending.end is End.INCONCLUSIVE
    assert "speaks TLS on postgres" in (ending.reason or "")


async def test_exits_with_progress_between_them_are_no_loop() -> None:
    world = World(patience=NO_PATIENCE)
    watch, exits = watch_of(world, FETCHED), Exits()
    for offset in range(1, 10):
        watch.see("kafka", 1, Piece(b"", (saved(offset),)))
        assert after_exit(exits, world.stage, watch, Exit(1), KILLED) is None
        watch.started()
        watch.see("kafka", 1, Piece(b"", (FETCHED,)))


@pytest.mark.parametrize(
    ("restart", "how", "again"),
    [
        (Restart.ALWAYS, Exit(0), True),
        (Restart.ALWAYS, Exit(1), True),
        (Restart.ON_FAILURE, Exit(0), False),
        (Restart.ON_FAILURE, Exit(1), True),
        (Restart.ON_FAILURE, Exit(None, 9), True),
        (Restart.NEVER, Exit(1), False),
    ],
)
async def test_the_restart_policy(restart: Restart, how: Exit, again: bool) -> None:
    world = World(patience=NO_PATIENCE)
    world.stage.restart = restart
    ending = after_exit(Exits(), world.stage, watch_of(world, FETCHED), how, CLEAN)
    assert (ending is None) is again
    assert ending is None or ending.end is End.STUCK


async def test_the_event_that_comes_next_is_named() -> None:
    world = World()
    world.stage.restart = Restart.NEVER
    watch = watch_of(world, FETCHED, saved(4))
    ending = after_exit(Exits(), world.stage, watch, Exit(1), KILLED)
    assert ending is not None
    assert "exit 1" in (ending.reason or "") and "4 of clicks-0" in (ending.reason or "")


async def test_an_end_before_anything_was_read_is_inconclusive_in_a_clean_run() -> None:
    world = World()
    world.stage.restart = Restart.NEVER
    ending = after_exit(Exits(), world.stage, watch_of(world), Exit(127), CLEAN)
    assert ending is not None
    assert ending.end is End.INCONCLUSIVE
    assert "exit 127" in (ending.reason or "") and ending.remedy


def test_the_moment_that_did_not_come_is_named() -> None:
    other = Fault(parse_moment("postgres.rollback#2:before"), "kill")
    assert "postgres.commit#1:after" in (never_came(KILLED).reason or "")
    assert "postgres.rollback#2:before" in (never_came(KILLED, other).reason or "")


async def test_a_target_that_wants_other_topics_is_told_which_have_events() -> None:
    ending = await ended(JOINED, Subscribed("g", frozenset({"click", "views"})))
    assert ending.reason is not None and ending.remedy is not None
    assert ending.reason.endswith("subscribed: click, views; events are in clicks")
    assert ending.remedy.startswith('[[source]] topic = "click"')


async def test_one_that_wants_the_right_topic_among_others_is_not() -> None:
    ending = await ended(JOINED, Subscribed("g", frozenset({"clicks", "views"})))
    assert ending.reason is not None and "subscribed" not in ending.reason


async def test_a_client_that_asks_for_topics_that_are_not_there_never_joins() -> None:
    ending = await ended(TopicsSought(frozenset({"click"})))
    assert ending.reason == "no join and no fetch in 0 s; asked for: click; events are in clicks"


def test_rows_that_are_held_beyond_all_patience_are_told() -> None:
    ending = still_holding(("links",), Patience(drain_seconds=30.0))
    assert ending.end is End.INCONCLUSIVE
    assert "15 s without a write" in (ending.reason or "") and "links" in (ending.reason or "")
    assert "flush interval" in (ending.remedy or "") and "ignore_tables" in (ending.remedy or "")
