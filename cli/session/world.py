"""The world of a subject on one lane: its topics, its ledger, its template database, its stage.

Every scenario starts from this: the same topics, a copy of the template, the group's offsets set.
"""

import asyncio
import dataclasses

from killpoint.checks.ledger import Ledger
from killpoint.cli.errors import UserError
from killpoint.cli.session.audit import Audit, Auditor
from killpoint.cli.session.stack import Lane
from killpoint.cli.session.subject import Source, Subject
from killpoint.compose.program import ProgramFailed, run_program
from killpoint.faults.environment import Environment, QueryFailed
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.record import Record
from killpoint.faults.stage import Launch, Stage
from killpoint.faults.target import Target


class World:
    """Prepared once for a subject; `stage` is what its runs work on."""

    def __init__(self, subject: Subject, environment: Environment, lane: Lane, run: str) -> None:
        self.subject = subject
        self.environment = environment
        self.lane = lane
        self.template = f"killpoint_{run.replace('-', '_')}_{lane.number}_template"
        self.auditor = Auditor(subject.checks, environment.database)
        self.ledger = Ledger(())
        self._produced: set[tuple[str, int, int]] = set()
        self._written: set[str] = set()

    async def prepare(self, target: Target) -> Stage:
        """Make topics, events and the template database; returns the stage.

        Raises UserError if a program or script of the user's fails.
        """
        await self._fill_topics()
        await self._make_template()
        database = self.environment.database
        self.lane.writing_functions = await database.writing_functions(self.template)
        return self._stage(target)

    async def audit(self, database: str, written: frozenset[str]) -> Audit:
        """Audit a database; the ledger is read again if the target wrote to its own sources."""
        self._written |= written
        if written & self.subject.topics.keys():
            await self._read_ledger()
        return await self.auditor.audit(database)

    @property
    def topics_change(self) -> bool:
        """Whether the target was seen to write to topics."""
        return bool(self._written)

    # ── topics ───────────────────────────────────────────────────────────────────────────────────

    async def _fill_topics(self) -> None:
        await self.environment.broker.create_topics(self.subject.topics)
        for source in self.subject.sources:
            await self._produce(source)
        self._produced = {_place(r) for r in await self._read_ledger()}

    async def _produce(self, source: Source) -> None:
        broker = self.environment.broker
        if source.produce is None:
            await broker.produce(source.records)
            return
        login = self.environment.database.login("postgres")
        launch = self.subject.launch(source.produce, broker.direct, login, "killpoint-producer")
        await self._run("produce", launch)

    async def _read_ledger(self) -> list[Record]:
        records = await self.environment.broker.read(self.subject.topics)
        known = self._produced
        marked = [
            r if not known or _place(r) in known else dataclasses.replace(r, origin="target")
            for r in records
        ]
        self.ledger.close()
        self.ledger = await asyncio.to_thread(Ledger, marked)
        await self.auditor.use(self.ledger)
        return marked

    async def _reset_topics(self) -> None:
        """Bring the topics back to what they were, if the target has written to any."""
        if not self._written:
            return
        broker = self.environment.broker
        await broker.delete_topics({*self._written, *self.subject.topics})
        self._produced = set()
        await self._fill_topics()

    # ── database ─────────────────────────────────────────────────────────────────────────────────

    async def _make_template(self) -> None:
        database, subject = self.environment.database, self.subject
        await database.create(self.template)
        if subject.schema is not None:
            try:
                await database.execute(self.template, subject.schema)
            except QueryFailed as error:
                raise UserError(
                    "[database] schema failed in Postgres", str(error), "mend the script"
                ) from error
        if subject.migrate is not None:
            login = database.login(self.template)
            broker = self.environment.broker
            await self._run(
                "migrate", subject.launch(subject.migrate, broker.direct, login, "killpoint")
            )

    async def _run(self, what: str, launch: Launch) -> None:
        try:
            await run_program(launch.command, launch.environment, self.subject.folder)
        except ProgramFailed as error:
            raise UserError(
                f"[{'database' if what == 'migrate' else 'source'}] {what} failed",
                str(error),
                f"run it by hand: {' '.join(launch.command)}",
            ) from error

    # ── the stage ────────────────────────────────────────────────────────────────────────────────

    def _stage(self, target: Target) -> Stage:
        subject, environment = self.subject, self.environment
        starts = tuple(
            Position(source.topic, partition, 0)
            for source in subject.sources
            if source.committed_start
            for partition in range(source.partitions)
        )
        partitions = [TopicPartition(t, p) for t, n in subject.topics.items() for p in range(n)]
        return Stage(
            target=target,
            proxies=(self.lane.kafka, self.lane.postgres),
            broker=environment.broker,
            database=environment.database,
            template=self.template,
            launch=self._launch,
            start_positions=starts,
            ends=self.ledger.ends(partitions),
            rules=subject.rules,
            patience=subject.patience,
            restart=subject.restart,
            position_query=subject.position,
            reset_topics=self._reset_topics,
            direct_addresses=self._direct(),
        )

    def _launch(self, database: str, group: str) -> Launch:
        kafka, postgres = self.lane.kafka.address, self.lane.postgres.address
        assert kafka is not None and postgres is not None, "the stack was not started"
        login = self.environment.database.login(database)
        through = dataclasses.replace(login, host=postgres.host, port=postgres.port)
        return self.subject.launch(self.subject.command, kafka, through, group)

    def _direct(self) -> frozenset[tuple[str, int]]:
        login = self.environment.database.login("postgres")
        direct = self.environment.broker.direct
        return frozenset({(direct.host, direct.port), (login.host, login.port)})


def _place(record: Record) -> tuple[str, int, int]:
    return (record.topic, record.partition, record.offset)
