"""A world in memory for the tests of runs and actions: target, edges, broker and database.

Counterpart: the protocols of `faults`. A life of the target is a coroutine that speaks through a
`Wire`, which asks the watch exactly as a proxy does, so the moments, the freezing and the order of
things are those of a real run. Nothing here opens a socket or starts a process.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from killpoint.faults.drained import Calibration
from killpoint.faults.environment import Address, BackendState, Login
from killpoint.faults.events import (
    BackendReady,
    BackendStarted,
    BeginAnswered,
    BeginAsked,
    CommitAnswered,
    CommitAsked,
    Event,
    FetchAsked,
    GroupNamed,
    Joined,
    Member,
    MemberNamed,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    RecordsFetched,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.gate import Gate
from killpoint.faults.position import Position, Span, TopicPartition
from killpoint.faults.proxy import Proxy
from killpoint.faults.record import Record
from killpoint.faults.scenario import Fault
from killpoint.faults.stage import Launch, Patience, Stage
from killpoint.faults.table_image import Column, Image, TableImage
from killpoint.faults.target import Exit, TargetError
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Machine, Piece

TOPIC, GROUP = "clicks", "counter"
PLACE = TopicPartition(TOPIC, 0)
EVENTS, BATCH = 6, 3
START_SECONDS = 0.03
KNOWN = Calibration(True, True, 0.01, 1.0, 10.0)
"""The calibration of clean runs whose offsets come last."""

IMPATIENT = Patience(0.5, 0.5, stop_seconds=0.2, settle_seconds=0.2, gone_seconds=0.1)


@dataclass(slots=True)
class FakeBroker:
    """Offsets by group; what it is asked for is written into `calls`."""

    calls: list[str]
    direct: Address = field(default_factory=lambda: Address("broker", 9092))
    offsets: dict[str, dict[TopicPartition, int]] = field(
        default_factory=lambda: defaultdict[str, dict[TopicPartition, int]](dict)
    )
    topics: dict[str, list[Record]] = field(default_factory=dict[str, list[Record]])
    unnamed: list[str] = field(default_factory=list[str])

    async def create_topics(self, topics: Mapping[str, int]) -> None:
        self.calls.append(f"create topics {', '.join(topics)}")
        self.topics.update((topic, []) for topic in topics)

    async def delete_topics(self, topics: Iterable[str]) -> None:
        gone = sorted(topics)
        self.calls.append(f"delete topics {', '.join(gone)}")
        for topic in gone:
            self.topics.pop(topic, None)

    async def produce(self, records: Sequence[Record]) -> list[Position]:
        places: list[Position] = []
        for record in records:
            log = self.topics[record.topic]
            partition = max(record.partition, 0)
            offset = sum(other.partition == partition for other in log)
            log.append(
                Record(record.topic, partition, offset, record.key, record.value, record.headers)
            )
            places.append(Position(record.topic, partition, offset))
        return places

    async def read(self, topics: Iterable[str], take: Callable[[Sequence[Record]], None]) -> None:
        for topic in topics:
            take(self.topics.get(topic, []))

    async def commit_offsets(self, group: str, positions: Iterable[Position]) -> None:
        self.calls.append(f"set offsets of {group}")
        self.offsets[group].update((p.place, p.offset) for p in positions)

    async def delete_group(self, group: str) -> None:
        self.calls.append(f"delete group {group}")
        self.offsets.pop(group, None)

    async def committed(self, group: str) -> dict[TopicPartition, int]:
        self.calls.append(f"committed offsets of {group}")
        return dict(self.offsets[group])

    async def members(self, group: str) -> list[Member]:
        self.calls.append(f"members of {group}")
        return [MemberNamed(group, name, None, "classic") for name in self.unnamed]

    async def remove_member(self, member: Member) -> None:
        self.calls.append(f"remove {member.member}")

    async def close(self) -> None:
        self.calls.append("close broker")


@dataclass(slots=True)
class FakeDatabase:
    """Databases as their counted rows, and backends as their states."""

    calls: list[str]
    rows: dict[str, int] = field(default_factory=dict[str, int])
    living: dict[int, BackendState] = field(default_factory=dict[int, BackendState])
    answers: dict[str, list[tuple[object, ...]] | Exception] = field(
        default_factory=dict[str, list[tuple[object, ...]] | Exception]
    )
    columns: list[str] = field(default_factory=lambda: ["total"])
    in_doubt: list[str] = field(default_factory=list[str])

    def login(self, database: str) -> Login:
        return Login("postgres.internal", 5432, "user", "secret", database)

    async def admit(self, user: str, password: str) -> None:
        self.calls.append(f"admit {user}")

    async def create(self, database: str, template: str | None = None) -> None:
        self.calls.append(f"create {database}" + (f" from {template}" if template else ""))
        self.rows[database] = self.rows.get(template or "", 0)

    async def exists(self, database: str) -> bool:
        return database in self.rows

    async def drop(self, database: str) -> None:
        self.calls.append(f"drop {database}")
        self.rows.pop(database, None)

    async def execute(self, database: str, script: str) -> None:
        self.calls.append(f"execute in {database}: {script}")
        if isinstance(answer := self.answers.get(script), Exception):
            raise answer

    async def query(self, database: str, sql: str) -> tuple[list[str], list[tuple[object, ...]]]:
        self.calls.append(f"query {database}")
        answer = self.answers.get(sql, [(self.rows[database],)])
        if isinstance(answer, Exception):
            raise answer
        return self.columns, answer

    async def image(self, database: str, tables: Collection[str] | None, limit_rows: int) -> Image:
        self.calls.append(f"image of {database}")
        if isinstance(answer := self.answers.get("image"), Exception):
            raise answer
        columns = (Column("name"), Column("total", "number"))
        rows = {b"all\t%d" % self.rows[database]: 1} if self.rows[database] else {}
        return {"counted": TableImage("counted", columns, (("name",),), rows)}

    async def advance_sequences(self, database: str, steps: int) -> None:
        self.calls.append(f"advance sequences of {database} by {steps}")

    async def backends(self, pids: Iterable[int]) -> list[BackendState]:
        return [self.living[pid] for pid in pids if pid in self.living]

    async def prepared(self, database: str) -> list[str]:
        return self.in_doubt

    async def numbering_tables(self, database: str) -> frozenset[str]:
        return frozenset()

    async def writing_functions(self, database: str) -> frozenset[str]:
        return frozenset({"bump"})

    async def close(self) -> None:
        self.calls.append("close database")


class FakeProxy(Proxy):
    """An edge without sockets; closing its connections ends the backends behind it."""

    def __init__(self, edge: str, world: "World", port: int) -> None:
        super().__init__(edge, _no_machine)
        self.address = Address("127.0.0.1", port)
        self._world = world

    async def close_connections(self) -> None:
        self._world.calls.append(f"close {self.edge}")
        if self.watch is not None:
            self.watch.disconnected(self.edge, 1)
        if self.edge == "postgres" and not self._world.ghosts:
            self._world.database.living.clear()


def _no_machine() -> Machine:
    raise AssertionError("nothing is read here")


class Wire:
    """How a life of the target speaks: each piece passes the watch as in a proxy."""

    def __init__(self, world: "World", watch: Watch, database: str, group: str = GROUP) -> None:
        self.world = world
        self.database = database
        self.group = group
        self.watch = watch

    async def ask(self, edge: str, *events: Event, opens: tuple[int, ...] = ()) -> None:
        """A request: it reaches the server when this returns."""
        piece = Piece(b"?", events, opens=opens)
        await self.watch.prepare_groups(piece)
        await self.watch.thawed((edge, 1))
        if not self.watch.see(edge, 1, piece):
            await self.watch.thawed((edge, 1))
        self.watch.forwarding(edge, 1, piece)

    async def answer(self, edge: str, *events: Event, closes: tuple[int, ...] = ()) -> None:
        """An answer: the target has it when this returns."""
        if not self.watch.see(edge, 1, Piece(b"!", events, closes=closes)):
            await self.watch.thawed((edge, 1))


Life = Callable[[Wire], Awaitable[Exit]]


class FakeTarget:
    """Lives its `lives` in order, the last one again and again.

    `stage`: that of its lane, where there are several. `own_group`: it uses the group it is given.
    """

    def __init__(self, world: "World", lives: Sequence[Life]) -> None:
        self._world = world
        self.stage: Stage | None = None
        self.own_group = False
        self._lives = list(lives)
        self._life: asyncio.Task[Exit] | None = None
        self.starts: list[Launch] = []
        self.refusal: TargetError | None = None
        self.past: list[Address] = []
        self.open_files: list[Path] = []
        self.ports: list[int] = []
        self.terminated: Callable[[], Awaitable[Exit]] | None = None
        self.pid: int | None = None

    async def start(self, command: tuple[str, ...], environment: Mapping[str, str]) -> None:
        self._world.calls.append("start")
        self.starts.append(Launch(command, environment))
        if self.refusal is not None:
            raise self.refusal
        life = self._lives.pop(0) if len(self._lives) > 1 else self._lives[0]
        watch = (self.stage or self._world.stage).proxies[0].watch
        assert watch is not None
        group = environment["KILLPOINT_GROUP"] if self.own_group else GROUP
        wire = Wire(self._world, watch, environment["DATABASE"], group)
        self._life = asyncio.ensure_future(_lived(life, wire))

    async def freeze(self) -> None:
        self._world.calls.append("freeze")

    async def thaw(self) -> None:
        self._world.calls.append("thaw")

    async def kill(self) -> None:
        self._world.calls.append("kill")
        if self._life is not None:
            self._life.cancel()
            await asyncio.gather(self._life, return_exceptions=True)

    async def terminate(self, grace: float) -> Exit:
        self._world.calls.append(f"terminate within {grace:g} s")
        how = Exit(0) if self.terminated is None else await self.terminated()
        await self.kill()
        return how

    async def exited(self) -> Exit:
        assert self._life is not None
        return await asyncio.shield(self._life)

    async def sockets(self) -> list[Address]:
        return self.past

    async def files(self) -> list[Path]:
        return self.open_files

    async def listening(self) -> list[int]:
        return self.ports

    def log_to(self, path: Path) -> None:
        self._world.calls.append(f"log to {path.name}")

    async def close(self) -> None:
        self._world.calls.append("close target")


async def _lived(life: Life, wire: Wire) -> Exit:
    return await life(wire)


@dataclass(slots=True)
class World:
    """Everything of one lane. `ghosts`: backends outlive their connections.

    `more` is set when events have come that were not there at the start.
    """

    lives: Sequence[Life] = ()
    patience: Patience = IMPATIENT
    calls: list[str] = field(default_factory=list[str])
    ghosts: bool = False
    more: asyncio.Event = field(default_factory=asyncio.Event)
    broker: FakeBroker = field(init=False)
    database: FakeDatabase = field(init=False)
    target: FakeTarget = field(init=False)
    stage: Stage = field(init=False)

    def __post_init__(self) -> None:
        self.broker = FakeBroker(self.calls)
        self.database = FakeDatabase(self.calls, {"template": 0})
        self.target = FakeTarget(self, self.lives)
        self.stage = Stage(
            target=self.target,
            proxies=(FakeProxy("kafka", self, 19092), FakeProxy("postgres", self, 15432)),
            broker=self.broker,
            database=self.database,
            template="template",
            launch=lambda database, group: Launch(
                ("counter",), {"DATABASE": database, "GROUP": group}
            ),
            start_positions=(Position(TOPIC, 0, 0),),
            ends={PLACE: EVENTS},
            patience=self.patience,
        )

    def watched(self, *faults: Fault) -> Watch:
        """A watch on this world's edges, started, as a run makes it."""

        async def ready(group: str) -> None:
            self.calls.append(f"ready {group}")

        watch = Watch(Gate(faults), ready, sources=self.stage.sources)
        for proxy in self.stage.proxies:
            proxy.watch = watch
        watch.started()
        return watch


# ── a consumer ───────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Consumer:
    """A life: join, fetch, count and save in batches, then wait (or exit with `then`).

    `save_first`: the offset is saved before its rows are counted. `stops_after`: it exits after so
    many batches, with `then` or exit 1.
    """

    save_first: bool = False
    then: Exit | None = None
    instance: str | None = None
    pid: int = 100
    stops_after: int | None = None

    async def __call__(self, wire: Wire) -> Exit:
        # The load of the machine is read off the time to the join: it must not be microseconds.
        await asyncio.sleep(START_SECONDS)
        await wire.ask("kafka", GroupNamed(wire.group))
        await wire.answer("kafka", Joined(wire.group, "member", self.instance, "classic", 1))
        await self._log_in(wire)
        first = wire.world.broker.offsets[wire.group].get(PLACE, 0)
        await wire.ask("kafka", FetchAsked((Position(TOPIC, 0, first),)))
        if first < EVENTS:
            await wire.answer("kafka", RecordsFetched(1, (Span(TOPIC, 0, first, EVENTS),)))
        for done, start in enumerate(range(first, EVENTS, BATCH)):
            if done == self.stops_after:
                return self.then or Exit(1)
            await self._batch(wire, start)
        await wire.ask("kafka", FetchAsked((Position(TOPIC, 0, EVENTS),)))
        if self.then is None:
            await asyncio.Event().wait()
        assert self.then is not None
        return self.then

    async def _log_in(self, wire: Wire) -> None:
        wire.world.database.living[self.pid] = BackendState(self.pid, True, False, False)
        await wire.answer("postgres", BackendStarted(self.pid), BackendReady("I"))

    async def _batch(self, wire: Wire, start: int) -> None:
        if self.save_first:
            await self.save(wire, start + BATCH)
        await self.count(wire, start)
        if not self.save_first:
            await self.save(wire, start + BATCH)

    async def save(self, wire: Wire, offset: int) -> None:
        """Commit an offset."""
        positions = (Position(TOPIC, 0, offset),)
        await wire.ask("kafka", OffsetCommitAsked(offset, wire.group, positions), opens=(offset,))
        wire.world.broker.offsets[wire.group][PLACE] = offset
        answer = OffsetCommitAnswered(offset, wire.group, positions)
        await wire.answer("kafka", answer, closes=(offset,))

    async def count(self, wire: Wire, start: int) -> None:
        """One transaction with a row for each event of a batch."""
        number = 10 * start + 1
        await wire.ask("postgres", BeginAsked(number, number), opens=(number,))
        await wire.answer("postgres", BeginAnswered(number, number), closes=(number,))
        for row in range(number + 1, number + 1 + BATCH):
            await wire.ask("postgres", WriteAsked(row, number, frozenset({"links"})), opens=(row,))
            await wire.answer("postgres", WriteAnswered(row, number, 1), closes=(row,))
        end = number + BATCH + 1
        await wire.ask("postgres", CommitAsked(end, number, False), opens=(end,))
        wire.world.database.rows[wire.database] += BATCH
        committed = CommitAnswered(end, number, False)
        await wire.answer("postgres", committed, BackendReady("I"), closes=(end,))


@dataclass(slots=True)
class Follower(Consumer):
    """A life that does what is there, and then what comes later, as far as the ends say."""

    async def __call__(self, wire: Wire) -> Exit:
        await asyncio.sleep(START_SECONDS)
        await wire.ask("kafka", GroupNamed(GROUP))
        await wire.answer("kafka", Joined(GROUP, "member", None, "classic", 1))
        await self._log_in(wire)
        first = wire.world.broker.offsets[GROUP].get(PLACE, 0)
        while True:
            await wire.ask("kafka", FetchAsked((Position(TOPIC, 0, first),)))
            end = wire.world.stage.ends[PLACE]
            if first == EVENTS:
                await asyncio.Event().wait()
            if first == end:
                await wire.world.more.wait()
                continue
            await wire.answer("kafka", RecordsFetched(1, (Span(TOPIC, 0, first, end),)))
            for start in range(first, end, BATCH):
                await self._batch(wire, start)
            first = end
