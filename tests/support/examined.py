"""An examination of a consumer in memory: the session's own code on the world of `fakes`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from killpoint.checks.baseline import CleanRunCheck
from killpoint.checks.check import Check
from killpoint.checks.guarantee import Guarantee
from killpoint.cli.progress import ProgressEvent
from killpoint.cli.session.evidence import Evidence
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.stack import Lane, Stack
from killpoint.cli.session.subject import Source, Subject
from killpoint.cli.session.template import Origin
from killpoint.cli.session.topics import Topics
from killpoint.faults.environment import Account, Address, Upstream
from killpoint.faults.gate import GateRules
from killpoint.faults.record import Record
from killpoint.faults.scenario import Scenario
from killpoint.faults.stage import Patience, Restart
from tests.support.fakes import (
    EVENTS,
    TOPIC,
    FakeBroker,
    FakeDatabase,
    FakeProxy,
    FakeTarget,
    Life,
    World,
)

COUNTED = Check("events", "select count(*) as total from events", "select total from counted")


@dataclass(slots=True)
class FakeEnvironment:
    """The servers of a world; `failure` is what its start raises."""

    world: World
    failure: Exception | None = None
    stack: str = "memory"
    description: str = "nothing real"
    stopped: int = 0

    async def start(self, advertised: Sequence[Address]) -> list[Upstream]:
        if self.failure is not None:
            raise self.failure
        return [Upstream(self.world.broker.direct, Address("", 0, "/socket")) for _ in advertised]

    @property
    def broker(self) -> FakeBroker:
        return self.world.broker

    @property
    def database(self) -> FakeDatabase:
        return self.world.database

    async def stop(self) -> None:
        self.stopped += 1


@dataclass(slots=True)
class InMemory:
    """A house of targets in a world; the first of them is the world's own."""

    world: World
    host: str = ""
    named: str = ""
    services: None = None
    tells_apart: bool = True
    targets: list[FakeTarget] = field(default_factory=list[FakeTarget])

    def host_of(self, replica: int) -> str:
        return self.host

    def listens(self, edge: str) -> Address:
        return Address("", 0)

    async def refresh(self) -> None:
        self.world.calls.append("refresh")

    def target(self, folder: Path, log: Path, replica: int = 1) -> FakeTarget:
        new = FakeTarget(self.world, self.world.lives) if self.targets else self.world.target
        self.targets.append(new)
        return new


@dataclass(slots=True)
class Heard:
    """A reporter that remembers, and `then` does something."""

    events: list[ProgressEvent] = field(default_factory=list[ProgressEvent])
    then: Callable[[ProgressEvent], object] = lambda event: None

    def on(self, event: ProgressEvent) -> None:
        self.events.append(event)
        self.then(event)

    @property
    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]


def clicks(count: int = EVENTS) -> tuple[Record, ...]:
    return tuple(
        Record(TOPIC, 0, 0, b"key-%d" % n, b'{"code": "link-%d"}' % n) for n in range(count)
    )


def subject_in(
    folder: Path,
    *,
    checks: tuple[Check, ...] = (COUNTED,),
    requirement: Guarantee | None = None,
    scenarios: tuple[Scenario, ...] = (),
    sources: tuple[Source, ...] | None = None,
    schema: str | None = None,
    migrate: tuple[str, ...] | None = None,
    against: tuple[CleanRunCheck, ...] = (),
    account: Account | None = None,
) -> Subject:
    """A consumer of six clicks with one check, the number of events."""
    return Subject(
        name="counter",
        folder=folder,
        command=("{python}", "counter.py"),
        env={"DATABASE": "{postgres_db}"},
        group=None,
        sources=sources or (Source(TOPIC, 1, True, clicks()),),
        database=Origin(schema=schema, migrate=migrate),
        position=None,
        checks=checks,
        rules=GateRules(),
        restart=Restart.ALWAYS,
        patience=Patience(5.0, 5.0, gone_seconds=0.1),
        actions=("kill",),
        requirement=requirement,
        scenarios=scenarios,
        against=against,
        account=account or Account(),
    )


def lane_in(world: World, number: int = 1) -> Lane:
    """A lane whose edges are without sockets."""
    lane = Lane(number)
    lane.kafka, lane.postgres = FakeProxy("kafka", world, 19092), FakeProxy("postgres", world, 1)
    return lane


@dataclass(slots=True)
class Examined:
    """An examination, with the world that it works on and what its reporter heard."""

    world: World
    heard: Heard
    examination: Examination

    house: InMemory

    async def prepare(self) -> None:
        await self.examination.prepare()
        self.world.stage = self.examination.runners[0].stage

    def share(self, lanes: int) -> None:
        """Let more lanes work, each with a target that uses the group it is given."""
        self.examination.share(lanes)
        for target, runner in zip(self.house.targets, self.examination.runners, strict=True):
            target.stage, target.own_group = runner.stage, True


def examined(subject: Subject, *lives: Life, evidence: bool = False, lanes: int = 1) -> Examined:
    """An examination of a subject that lives these lives, in each of its lanes."""
    world, heard = World(lives), Heard()
    environment = FakeEnvironment(world)
    house = InMemory(world)
    stack = Stack(environment, housing=house)
    kept = Evidence(subject.folder, "r1") if evidence else None
    topics = Topics(subject, environment)
    places = [lane_in(world, number) for number in range(1, lanes + 1)]
    found = Examination(stack, places, subject, heard, "r1", topics, kept)
    return Examined(world, heard, found, house)
