"""One run from start to audit, on a world in memory: what it concludes, and that it cleans up."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from killpoint.faults.drained import Calibration
from killpoint.faults.ending import End
from killpoint.faults.environment import Address
from killpoint.faults.events import (
    FetchAsked,
    ForeignSpeech,
    GroupNamed,
    Joined,
    ProduceAnswered,
    ProduceAsked,
    RecordsFetched,
)
from killpoint.faults.history import Note
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.position import Position, Span, TopicPartition
from killpoint.faults.run import Run
from killpoint.faults.run_record import RunRecord
from killpoint.faults.scenario import Fault, Scenario
from killpoint.faults.spare import Spare
from killpoint.faults.stage import Late, Launch, Patience, Restart
from killpoint.faults.target import Exit, TargetError
from tests.support.fakes import (
    BATCH,
    EVENTS,
    GROUP,
    IMPATIENT,
    KNOWN,
    PLACE,
    Consumer,
    FakeDatabase,
    FakeTarget,
    Follower,
    Life,
    Wire,
    World,
)

LIMIT_SECONDS = 5.0
CLEAN = Scenario("clean-1")
COMMITTED = "postgres.commit#1:after"


@dataclass(frozen=True, slots=True)
class Counted:
    """An audit: the rows that were found."""

    rows: int

    @property
    def suspicious(self) -> bool:
        return self.rows < EVENTS

    @property
    def provisional(self) -> bool:
        return False


@dataclass(slots=True)
class RowsAuditor:
    """Counts the rows of the world's database; `before` is done ahead of each audit."""

    world: World
    before: Callable[[int], None] = lambda number: None
    audits: int = 0
    alive: list[bool] = field(default_factory=list[bool])

    async def audit(self, database: str, written: frozenset[str]) -> Counted:
        self.audits += 1
        self.before(self.audits)
        self.alive.append("kill" not in self.world.calls)
        return Counted(self.world.database.rows[database])

    async def snapshot(self, database: str) -> object:
        return self.world.database.rows[database]


def scenario(*moments: str, action: str = "kill") -> Scenario:
    return Scenario("S01", tuple(Fault(parse_moment(moment), action) for moment in moments))


def run_of(
    world: World,
    what: Scenario = CLEAN,
    auditor: RowsAuditor | None = None,
    calibration: Calibration | None = KNOWN,
) -> Run[Counted]:
    return Run(world.stage, what, "db", GROUP, auditor or RowsAuditor(world), calibration)


async def ran(
    what: Scenario,
    *lives: Life,
    patience: Patience = IMPATIENT,
    calibration: Calibration | None = KNOWN,
) -> RunRecord[Counted]:
    async with asyncio.timeout(LIMIT_SECONDS):
        return await run_of(World(lives, patience), what, calibration=calibration).go()


def rows(record: RunRecord[Counted]) -> int:
    assert record.audit is not None
    return record.audit.rows


# ── drained ──────────────────────────────────────────────────────────────────────────────────────


async def test_a_clean_run_is_drained_and_right() -> None:
    record = await ran(CLEAN, Consumer())
    assert record.ending.end is End.DRAINED
    assert rows(record) == EVENTS
    assert record.faults == ()
    assert record.groups == (GROUP,)
    assert record.progress.committed == {PLACE: EVENTS}
    assert record.times.audit is not None and record.times.total > 0


async def test_the_first_run_of_all_knows_no_calibration_and_waits_longer() -> None:
    record = await ran(CLEAN, Consumer(), patience=Patience(), calibration=None)
    assert (record.ending.end, rows(record)) == (End.DRAINED, EVENTS)
    assert record.times.total >= 0.25  # its offset was saved last; otherwise it is half a second


async def test_only_connections_of_the_present_run_are_counted() -> None:
    world = World([Consumer()])
    world.stage.proxies[0].accepted = 3
    await run_of(world).go()
    assert world.stage.proxies[0].accepted == 0


class Collector(Consumer):
    """A life that counts its first batch, and holds the rows of the others."""

    async def count(self, wire: Wire, start: int) -> None:
        if start == 0:
            await super().count(wire, start)


async def collected(
    life: Life, calibration: Calibration | None, *, patient: bool = False
) -> RunRecord[Counted]:
    """A clean run of a target that writes its last batch when it is asked to stop."""
    world = World([life])
    run = run_of(world, calibration=calibration)
    run.patient = patient

    async def flush() -> Exit:
        await Consumer().count(Wire(world, run.watch, "db"), BATCH)
        return Exit(0)

    world.target.terminated = flush
    async with asyncio.timeout(LIMIT_SECONDS):
        return await run.go()


async def test_rows_that_are_held_at_the_end_of_the_first_clean_run_are_seen() -> None:
    record = await collected(Collector(), None)
    assert (record.ending.end, record.held) == (End.DRAINED, ("links",))
    # What came after the question belongs to no moment, and to no calibration.
    assert rows(record) == record.progress.life.writes == BATCH
    assert [s.number for s in record.history.sightings(1) if s.event == "commit"] == [1, 1]


async def test_who_has_a_row_for_each_record_or_is_known_is_not_asked() -> None:
    assert (await collected(Consumer(), None)).held == ()
    assert (await collected(Collector(), KNOWN)).held == ()


async def test_patience_waits_as_long_as_the_limits_allow() -> None:
    record = await collected(Collector(), None, patient=True)
    notes = [line for line in record.history.lines if isinstance(line, Note)]
    drained = next(note.seconds for note in notes if note.text == "drained")
    assert record.progress.life.last_write is not None
    assert drained - record.progress.life.last_write >= IMPATIENT.drain_seconds / 2


async def test_the_next_database_is_made_before_this_one_is_over_and_this_one_dropped_behind() -> (
    None
):
    world = World([Consumer(), Consumer()])
    first = run_of(world)
    first.next_database = "db_2"
    second = run_of(world)
    second.database = "db_2"
    async with asyncio.timeout(LIMIT_SECONDS):
        assert (await first.go()).ending.end is End.DRAINED
        assert (await second.go()).ending.end is End.DRAINED
        await world.stage.databases.close()
    calls = [call for call in world.calls if call.startswith(("create db", "kill", "drop db"))]
    assert calls.index("create db_2 from template") < calls.index("kill") < calls.index("drop db")
    assert sum(call.startswith("create db") for call in calls) == 2
    assert calls[-1] == "drop db_2"


async def test_the_audit_is_made_while_the_target_lives_and_then_it_is_killed() -> None:
    world = World([Consumer()])
    auditor = RowsAuditor(world)
    await run_of(world, auditor=auditor).go()
    assert auditor.alive == [True]
    assert "kill" in world.calls


async def test_an_exit_without_work_left_is_the_end() -> None:
    record = await ran(CLEAN, Consumer(then=Exit(0)))
    assert (record.ending.end, rows(record)) == (End.DRAINED, EVENTS)
    assert record.exits == (Exit(0),)


async def test_the_offsets_are_set_before_the_first_request_of_the_group() -> None:
    world = World([Consumer()])
    world.broker.offsets[GROUP][PLACE] = 3
    record = await run_of(world).go()
    assert f"set offsets of {GROUP}" in world.calls
    assert rows(record) == EVENTS


async def test_a_group_of_an_earlier_run_is_forgotten_first() -> None:
    world = World([Consumer()])
    await run_of(world).go()
    assert f"delete group {GROUP}" not in world.calls
    await run_of(world).go()
    sets = [at for at, call in enumerate(world.calls) if call == f"set offsets of {GROUP}"]
    assert sets[0] < world.calls.index(f"delete group {GROUP}") < sets[1]


async def test_every_run_has_a_fresh_database() -> None:
    world = World([Consumer()])
    assert rows(await run_of(world).go()) == EVENTS
    assert rows(await run_of(world).go()) == EVENTS
    assert world.calls.count("create db from template") == 2
    assert "db" not in world.database.rows


async def test_topics_are_reset_before_anything_else() -> None:
    world = World([Consumer()])

    async def reset() -> None:
        world.calls.append("reset")

    world.stage.reset_topics = reset
    await run_of(world).go()
    assert world.calls[0] == "reset"


# ── events that come late ────────────────────────────────────────────────────────────────────────


def world_with_late(life: Life, early: int) -> World:
    """A world whose first `early` events are there; the others come when they are asked for."""
    world = World([life])

    async def produce() -> dict[TopicPartition, int]:
        world.calls.append("produce late")
        world.stage.ends = {PLACE: EVENTS}
        world.more.set()
        return {PLACE: EVENTS}

    world.stage.late = Late({PLACE: early}, produce)
    return world


@pytest.mark.parametrize("early", [0, BATCH])
@pytest.mark.parametrize("calibration", [None, KNOWN])
async def test_late_events_come_when_the_others_are_done(
    early: int, calibration: Calibration | None
) -> None:
    world = world_with_late(Follower(), early)
    async with asyncio.timeout(LIMIT_SECONDS):
        record = await run_of(world, calibration=calibration).go()
    assert (record.ending.end, rows(record)) == (End.DRAINED, EVENTS)
    assert world.calls.count("produce late") == 1
    assert record.progress.committed == {PLACE: EVENTS}
    waiting = record.progress.life.longest_gap
    assert waiting < 0.1, "the wait for late events is no gap between two signs of work"


async def test_late_events_come_while_the_target_is_down() -> None:
    world = world_with_late(Follower(), BATCH)
    async with asyncio.timeout(LIMIT_SECONDS):
        record = await run_of(world, scenario(COMMITTED)).go()
    assert (record.ending.end, rows(record)) == (End.DRAINED, EVENTS + BATCH)
    late = world.calls.index("produce late")
    assert world.calls[:late].count("start") == 1
    assert "kill" in world.calls[:late]
    assert "start" in world.calls[late:]


async def test_a_moment_of_late_events_is_reached_as_well() -> None:
    world = world_with_late(Follower(), BATCH)
    async with asyncio.timeout(LIMIT_SECONDS):
        record = await run_of(world, scenario("postgres.commit#2:after")).go()
    assert record.faults[0].reached
    assert world.calls.count("produce late") == 1


async def test_each_run_begins_without_the_late_events() -> None:
    world = world_with_late(Follower(), BATCH)
    for _ in range(2):
        async with asyncio.timeout(LIMIT_SECONDS):
            record = await run_of(world).go()
        assert rows(record) == EVENTS
        world.broker.offsets.clear()
        world.more.clear()
    assert world.calls.count("produce late") == 2


async def test_a_position_in_the_database_is_waited_for() -> None:
    world = World([Consumer()])
    world.stage.position_query = "positions"
    world.database.answers["positions"] = [("clicks", 0, EVENTS - 1)]
    record = await run_of(world).go()
    assert record.ending.end is End.INCONCLUSIVE
    assert "position in the database" in (record.ending.reason or "")
    world.database.answers["positions"] = [("clicks", 0, EVENTS)]
    assert (await run_of(world).go()).ending.end is End.DRAINED


# ── a kill at a moment ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("save_first", "moment", "expected"),
    [
        (False, "postgres.commit#1:before", EVENTS),
        (False, COMMITTED, EVENTS + BATCH),
        (False, "kafka.offset_commit#1:before", EVENTS + BATCH),
        (False, "kafka.offset_commit#1:after", EVENTS),
        (True, "kafka.offset_commit#1:before", EVENTS),
        (True, "kafka.offset_commit#1:after", EVENTS - BATCH),
        (True, "postgres.commit#1:before", EVENTS - BATCH),
        (True, COMMITTED, EVENTS),
        (False, "kafka.join#1:after", EVENTS),
        (False, "postgres.write{transaction=2,statement=3}:after", EVENTS),
    ],
)
async def test_a_kill_between_two_steps_shows_their_order(
    save_first: bool, moment: str, expected: int
) -> None:
    record = await ran(scenario(moment), Consumer(save_first))
    assert record.ending.end is End.DRAINED
    assert rows(record) == expected
    assert [fault.reached for fault in record.faults] == [True]
    assert [fault.snapshot for fault in record.faults] != [None]


async def test_what_was_known_at_the_kill_is_kept() -> None:
    record = await ran(scenario("kafka.offset_commit#1:after"), Consumer())
    (fault,) = record.faults
    assert fault.crash is not None
    (entry,) = fault.crash.frontier
    assert (entry.fetched, entry.committed, entry.end) == (EVENTS, BATCH, EVENTS)
    assert fault.snapshot == BATCH
    assert fault.resumed == {PLACE: BATCH}
    assert record.times.to_moment is not None and record.times.restart is not None


async def test_two_faults_are_met_one_after_the_other() -> None:
    record = await ran(scenario(COMMITTED, COMMITTED), Consumer())
    assert record.ending.end is End.DRAINED
    assert rows(record) == EVENTS + 2 * BATCH
    assert len(record.faults) == 2


async def test_each_start_is_waited_for_until_the_target_has_joined() -> None:
    told: list[bool] = []
    run = run_of(World([Consumer(), Consumer()]), scenario("postgres.commit#1:after"))
    run.awaits = told.append
    await run.go()
    assert told == [True, False, True, False]


async def test_a_start_that_never_joins_is_waited_for_to_the_end() -> None:
    told: list[bool] = []
    run = run_of(World([never_comes], IMPATIENT))
    run.awaits = told.append
    await run.go()
    assert told == [True]


async def test_a_moment_that_never_comes_is_inconclusive() -> None:
    record = await ran(scenario("postgres.commit#9:after"), Consumer())
    assert record.ending.end is End.INCONCLUSIVE
    assert "postgres.commit#9:after was not reached" in (record.ending.reason or "")
    assert [fault.reached for fault in record.faults] == [False]


async def test_a_second_moment_that_never_comes_is_named() -> None:
    record = await ran(scenario(COMMITTED, "postgres.rollback#1:after"), Consumer())
    assert record.ending.end is End.INCONCLUSIVE
    assert "postgres.rollback#1:after" in (record.ending.reason or "")
    assert [fault.reached for fault in record.faults] == [True, False]


@dataclass(slots=True)
class LastWord(Consumer):
    """A life that saves its offset once more, when `more` is set."""

    async def __call__(self, wire: Wire) -> Exit:
        await Consumer(then=Exit(0))(wire)
        await wire.world.more.wait()
        await self.save(wire, EVENTS)
        return await never_comes(wire)


async def let_it_speak(world: World) -> None:
    """While something is asked of the world, the target comes to its last moment, once."""
    watch = world.stage.proxies[0].watch
    assert watch is not None
    if not world.more.is_set():
        world.more.set()
        await watch.met()


@dataclass(slots=True)
class SlowAuditor(RowsAuditor):
    """The target goes on while the first audit is made."""

    async def audit(self, database: str, written: frozenset[str]) -> Counted:
        await let_it_speak(self.world)
        return await RowsAuditor.audit(self, database, written)


@dataclass(slots=True)
class SlowDatabase(FakeDatabase):
    """The target goes on while its position is asked for, when it was quiet for almost enough."""

    world: World = field(default_factory=World)

    async def query(self, database: str, sql: str) -> tuple[list[str], list[tuple[object, ...]]]:
        watch = self.world.stage.proxies[0].watch
        assert watch is not None
        quiet = watch.now - (watch.progress.life.last_sign or watch.now)
        if quiet >= 0.4 * IMPATIENT.drain_seconds:  # half of it is awaited
            await let_it_speak(self.world)
        return await FakeDatabase.query(self, database, sql)


@pytest.mark.parametrize("asked", ["audit", "position"])
async def test_a_moment_that_comes_when_all_seems_to_be_done_is_not_forgotten(asked: str) -> None:
    world = World([LastWord(), Consumer()])
    if asked == "position":
        slow = SlowDatabase(world.calls, world.database.rows, world=world)
        slow.answers["positions"] = [("clicks", 0, EVENTS)]
        world.stage.database, world.stage.position_query = slow, "positions"
    auditor = SlowAuditor(world) if asked == "audit" else None
    run = run_of(world, scenario("kafka.offset_commit#3:before"), auditor)
    run.patient = True
    async with asyncio.timeout(LIMIT_SECONDS):
        record = await run.go()
    assert [fault.reached for fault in record.faults] == [True]
    assert record.faults[0].crash is not None
    assert (record.ending.end, world.calls.count("start")) == (End.DRAINED, 2)


# ── exits and limits ─────────────────────────────────────────────────────────────────────────────


async def test_an_exit_with_work_left_is_started_again() -> None:
    record = await ran(CLEAN, Consumer(stops_after=1), Consumer())
    assert (record.ending.end, rows(record)) == (End.DRAINED, EVENTS)
    assert record.exits == (Exit(1),)


@pytest.mark.parametrize(
    ("restart", "how", "starts"),
    [
        (Restart.ALWAYS, Exit(0), 2),
        (Restart.ON_FAILURE, Exit(1), 2),
        (Restart.ON_FAILURE, Exit(None, 11), 2),
        (Restart.ON_FAILURE, Exit(0), 1),
        (Restart.NEVER, Exit(1), 1),
    ],
)
async def test_the_restart_policy_is_kept(restart: Restart, how: Exit, starts: int) -> None:
    world = World([Consumer(stops_after=1, then=how), Consumer()])
    world.stage.restart = restart
    record = await run_of(world).go()
    assert len(world.target.starts) == starts
    assert record.ending.end is (End.DRAINED if starts == 2 else End.STUCK)


async def test_a_crash_loop_after_a_kill_is_stuck() -> None:
    patience = Patience(1.0, 1.0, restart_limit=2)
    loop = Consumer(stops_after=0, then=Exit(3))
    world = World([Consumer(), loop], patience)
    record = await run_of(world, scenario(COMMITTED)).go()
    assert record.ending.end is End.STUCK
    assert "exit 3" in (record.ending.reason or "")
    assert len(record.exits) == 3
    assert record.audit is None


async def never_comes(wire: Wire) -> Exit:
    await asyncio.Event().wait()
    return Exit(0)


async def reads_nothing(wire: Wire) -> Exit:
    await wire.ask("kafka", GroupNamed(GROUP))
    await wire.answer("kafka", Joined(GROUP, "member", None, "classic", 1))
    return await never_comes(wire)


async def writes_nothing(wire: Wire) -> Exit:
    await wire.ask("kafka", FetchAsked((Position("clicks", 0, 0),)))
    await wire.answer("kafka", RecordsFetched(1, (Span("clicks", 0, 0, EVENTS),)))
    return await never_comes(wire)


@pytest.mark.parametrize(
    ("life", "reason"),
    [
        (never_comes, "did not come through killpoint"),
        (reads_nothing, "fetched no event"),
        (writes_nothing, "nothing written"),
    ],
)
async def test_a_clean_run_that_comes_to_nothing_is_inconclusive(life: Life, reason: str) -> None:
    record = await ran(CLEAN, life)
    assert record.ending.end is End.INCONCLUSIVE
    assert reason in (record.ending.reason or "")
    assert record.ending.remedy


@pytest.mark.parametrize("after", [never_comes, reads_nothing, writes_nothing])
async def test_the_same_after_a_kill_is_stuck(after: Life) -> None:
    record = await ran(scenario(COMMITTED), Consumer(), after)
    assert record.ending.end is End.STUCK


async def test_what_an_earlier_life_put_into_a_source_must_be_read_too() -> None:
    retry = Span("retry", 0, 0, 1)

    async def retries(wire: Wire) -> Exit:
        await wire.ask("kafka", ProduceAsked(900, None, (retry,)), opens=(900,))
        await wire.answer("kafka", ProduceAnswered(900, None, (retry,)), closes=(900,))
        return await Consumer()(wire)

    world = World((retries, Consumer()))
    world.stage.ends = {PLACE: EVENTS, retry.place: 0}
    async with asyncio.timeout(LIMIT_SECONDS):
        record = await run_of(world, scenario(COMMITTED)).go()
    assert record.ending.end is End.STUCK
    assert "retry-0 was fetched up to 0 of 1" in (record.ending.reason or "")


async def test_what_the_clean_runs_read_back_must_be_read_though_no_source() -> None:
    retry = Span("retry", 0, 0, 1)

    async def retries(wire: Wire) -> Exit:
        await wire.ask("kafka", ProduceAsked(900, None, (retry,)), opens=(900,))
        await wire.answer("kafka", ProduceAnswered(900, None, (retry,)), closes=(900,))
        return await Consumer()(wire)

    for known, end in (
        (frozenset({retry.place}), End.STUCK),
        (frozenset[TopicPartition](), End.DRAINED),
    ):
        world = World((retries, Consumer()))
        world.stage.read_back = known
        async with asyncio.timeout(LIMIT_SECONDS):
            record = await run_of(world, scenario(COMMITTED)).go()
        assert record.ending.end is end


async def test_speech_that_cannot_be_read_ends_the_run_at_once() -> None:
    async def encrypted(wire: Wire) -> Exit:
        await wire.ask("kafka", ForeignSpeech("TLS"))
        return await never_comes(wire)

    record = await ran(CLEAN, encrypted, patience=Patience(60.0, 60.0))
    assert record.ending.end is End.INCONCLUSIVE
    assert "speaks TLS on kafka" in (record.ending.reason or "")


# ── suspicious audits ────────────────────────────────────────────────────────────────────────────


async def test_a_suspicious_result_is_audited_again() -> None:
    world = World([Consumer(save_first=True)])

    def late(number: int) -> None:
        world.database.rows["db"] = EVENTS if number > 1 else EVENTS - 1

    auditor = RowsAuditor(world, late)
    record = await run_of(world, auditor=auditor).go()
    assert rows(record) == EVENTS
    assert auditor.audits == 2
    assert auditor.alive == [True, True]


async def test_a_result_that_stays_suspicious_stands_after_the_second_time() -> None:
    world = World([Consumer()])
    auditor = RowsAuditor(world, lambda number: world.database.rows.update(db=1))
    assert rows(await run_of(world, auditor=auditor).go()) == 1
    assert auditor.audits == 2


async def test_a_result_with_nothing_missing_is_not_audited_again() -> None:
    world = World([Consumer()])
    auditor = RowsAuditor(world, lambda number: world.database.rows.update(db=EVENTS + 1))
    await run_of(world, auditor=auditor).go()
    assert auditor.audits == 1


# ── clean-up ─────────────────────────────────────────────────────────────────────────────────────


def assert_clean(world: World) -> None:
    assert world.calls[-1] == "drop db"
    assert "kill" in world.calls
    assert {"close kafka", "close postgres"} <= set(world.calls)
    assert all(proxy.watch is None for proxy in world.stage.proxies)


async def test_it_cleans_up_when_the_auditor_raises() -> None:
    world = World([Consumer()])

    def fail(number: int) -> None:
        raise RuntimeError("no audit")

    with pytest.raises(RuntimeError, match="no audit"):
        await run_of(world, auditor=RowsAuditor(world, fail)).go()
    assert_clean(world)


async def test_it_cleans_up_when_the_target_cannot_be_started() -> None:
    world = World([Consumer()])
    world.target.refusal = TargetError("no such program")
    run = run_of(world)
    with pytest.raises(TargetError, match="no such program"):
        await run.go()
    assert_clean(world)


async def test_it_cleans_up_when_it_is_cancelled() -> None:
    world = World([never_comes], Patience(60.0, 60.0))
    task = asyncio.ensure_future(run_of(world).go())
    async with asyncio.timeout(LIMIT_SECONDS):
        while "start" not in world.calls:  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert_clean(world)


async def test_it_cleans_up_after_every_ending() -> None:
    lives: Sequence[Life] = [Consumer(), never_comes, Consumer(then=Exit(0))]
    for life in lives:
        world = World([life])
        await run_of(world).go()
        assert_clean(world)


# ── a spare ──────────────────────────────────────────────────────────────────────────────────────


def with_spare(world: World, *lives: Life) -> tuple[Run[Counted], FakeTarget]:
    """A run whose replacements have the lives of a second target."""
    second = FakeTarget(world, lives)

    def launch(database: str, group: str, edges: Mapping[str, Address]) -> Launch:
        assert set(edges) == {"kafka", "postgres"}
        assert not {edge.port for edge in edges.values()} & {19092, 15432}
        return Launch(("spare",), {"DATABASE": database, "GROUP": group})

    run = run_of(world, scenario(COMMITTED))
    run.spare = Spare(second, launch)
    return run, second


async def parked(wire: Wire) -> Exit:
    """As a berth does it: nothing is said before the first is dead."""
    while wire.watch.life < 2:  # noqa: ASYNC110 - nothing is set when a life begins
        await asyncio.sleep(0.001)
    return await Consumer(pid=200)(wire)


async def test_a_spare_stands_in_for_the_dead() -> None:
    world = World([Consumer()])
    run, second = with_spare(world, parked)
    async with asyncio.timeout(LIMIT_SECONDS):
        record = await run.go()
    assert (record.ending.end, rows(record), record.spare_ended) == (
        End.DRAINED,
        EVENTS + BATCH,
        None,
    )
    assert [start.command for start in world.target.starts] == [("counter",)]
    assert [start.command for start in second.starts] == [("spare",)]
    assert world.stage.target is second
    assert [proxy.berths for proxy in world.stage.proxies] == [[], []]


async def test_a_spare_that_has_ended_is_replaced_by_a_cold_start() -> None:
    async def ends(wire: Wire) -> Exit:
        return Exit(3)

    world = World([Consumer()])
    run, second = with_spare(world, ends)
    async with asyncio.timeout(LIMIT_SECONDS):
        record = await run.go()
    assert (record.ending.end, rows(record), record.spare_ended) == (
        End.DRAINED,
        EVENTS + BATCH,
        Exit(3),
    )
    assert (len(world.target.starts), len(second.starts)) == (2, 1)
    assert world.stage.target is world.target


async def test_a_spare_that_cannot_be_started_is_none() -> None:
    world = World([Consumer()])
    run, second = with_spare(world, parked)
    second.refusal = TargetError("no such program")
    async with asyncio.timeout(LIMIT_SECONDS):
        record = await run.go()
    assert (record.ending.end, record.spare_ended) == (End.DRAINED, None)
    assert len(world.target.starts) == 2


async def test_a_run_without_faults_has_no_spare() -> None:
    world = World([Consumer()])
    run, second = with_spare(world, parked)
    run.scenario = CLEAN
    async with asyncio.timeout(LIMIT_SECONDS):
        record = await run.go()
    assert (record.ending.end, rows(record), second.starts) == (End.DRAINED, EVENTS, [])
