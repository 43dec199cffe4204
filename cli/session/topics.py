"""The source topics of a subject and their ledger; lanes whose targets only read may share them."""

import asyncio
from collections.abc import Sequence

from killpoint.checks.ledger import Ledger
from killpoint.cli.session.compensation import EVENTS_LIMIT
from killpoint.cli.session.subject import Subject
from killpoint.cli.session.user_program import run_user_program
from killpoint.faults.environment import Environment
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.record import Record


class Topics:
    """Filled once; read again, or made anew, after a target has written to topics."""

    def __init__(self, subject: Subject, environment: Environment) -> None:
        self._subject = subject
        self._environment = environment
        self._filling = asyncio.Lock()
        self._filled = False
        self._known_ends: dict[TopicPartition, int] = {}
        self._known_late: set[Position] = set()
        self._written: set[str] = set()
        self._late_there = False
        self.first: Sequence[Record] = ()
        self.ledger = Ledger(())

    @property
    def partitions(self) -> list[TopicPartition]:
        """Every partition of the source topics."""
        sources = self._subject.topics.items()
        return [TopicPartition(topic, p) for topic, count in sources for p in range(count)]

    async def fill(self) -> None:
        """Make the topics, produce the events and read the ledger, if that was not done yet.

        Raises UserError if a program of the user's fails, or EnvironmentFailed.
        """
        async with self._filling:
            if not self._filled:
                await self._fill()
                self._filled = True

    async def read(self) -> Ledger:
        """What the topics hold now; records that nobody knew come from the target.

        `first` has the first of them; only the ledger has all.
        """
        ledger, first = Ledger(()), list[Record]()

        def take(batch: Sequence[Record]) -> None:
            records = self._with_origin(self._decoded(batch))
            first.extend(records[: EVENTS_LIMIT - len(first)])
            ledger.add(records)

        await self._environment.broker.read(self._subject.topics, take)
        self.ledger.close()
        self.first, self.ledger = first, ledger
        return ledger

    def written(self, topics: frozenset[str]) -> bool:
        """Remember topics that the target wrote to; True if a source is among them."""
        self._written |= topics
        return bool(topics & self._subject.topics.keys())

    async def reset(self) -> bool:
        """Bring the topics back to what they were; False if nothing was added to any."""
        if not self._written and not self._late_there:
            return False
        of_configuration = {*self._subject.topics, *self._subject.topics_beside}
        await self._environment.broker.delete_topics({*self._written, *of_configuration})
        self._known_ends, self._known_late = {}, set()
        self._written = set()
        self._late_there = False
        await self._fill()
        return True

    @property
    def late(self) -> tuple[Record, ...]:
        """The events that come later, whether they are there by now or not."""
        sources = self._subject.sources
        return tuple(self._decoded([r for source in sources for r in source.late_records]))

    @property
    def first_and_late(self) -> Sequence[Record]:
        """The first that the topics hold, and what is still to come."""
        return self.first if self._late_there else [*self.first, *self.late]

    async def produce_late(self) -> Ledger:
        """Produce the events that come later; the topics then hold all of them."""
        places = await self._environment.broker.produce(self.late)
        self._known_late |= set(places)
        self._late_there = True
        return await self.read()

    def _with_origin(self, records: Sequence[Record]) -> Sequence[Record]:
        if not self._known_ends and not self._known_late:
            return records
        return [
            record if self._is_known(record) else record._replace(origin="target")
            for record in records
        ]

    def _is_known(self, record: Record) -> bool:
        at = Position(record.topic, record.partition, record.offset)
        return at.offset < self._known_ends.get(at.place, 0) or at in self._known_late

    def _decoded(self, records: Sequence[Record]) -> Sequence[Record]:
        """With the JSON of the values that have a schema."""
        formatted, registry = self._subject.formatted, self._subject.registry
        if not formatted:
            return records
        return [
            record._replace(decoded=registry.decoded(record.value))
            if record.topic in formatted
            else record
            for record in records
        ]

    async def _fill(self) -> None:
        broker = self._environment.broker
        await broker.create_topics({**self._subject.topics_beside, **self._subject.topics})
        for source in self._subject.sources:
            if source.produce is None:
                await broker.produce(source.early_records)
            else:
                login = self._environment.database.login("postgres")
                group = "killpoint-producer"
                launch = self._subject.launch(source.produce, broker.direct, login, group)
                await run_user_program("[source] produce", launch, self._subject.folder)
        await self.read()
        self._known_ends = self.ledger.ends()
