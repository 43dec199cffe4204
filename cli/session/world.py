"""The world of a subject on one stack: its topics, its template database, the stages of its lanes.

Every scenario starts from this: the same topics, a copy of the template, the group's offsets set.
"""

import dataclasses
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from killpoint.cli.config.ports import FreePorts, OwnPorts
from killpoint.cli.errors import UserError
from killpoint.cli.session.audit import Audit, Auditor
from killpoint.cli.session.bounds import Bounds
from killpoint.cli.session.expected_program import ExpectedPrograms
from killpoint.cli.session.stack import Lane
from killpoint.cli.session.subject import Subject
from killpoint.cli.session.template import Origin, make_template, seed
from killpoint.cli.session.topics import Topics
from killpoint.cli.session.user_program import run_hook, run_user_program
from killpoint.compose.housing import Housing, ThisMachine
from killpoint.faults.environment import Account, Address, Environment, Login
from killpoint.faults.first_start import FirstStartFailed, first_start
from killpoint.faults.neighbours import Neighbours, template_of
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.spare import Spare
from killpoint.faults.stage import Hooks, Late, Launch, Stage
from killpoint.faults.target import Target
from killpoint.faults.to_the_end import to_the_end


class World:
    """Prepared once for a subject; `topics` may be shared with other subjects that only read.

    `account` is what the target has built in: databases are made under that name, one at a time.
    `house` is where the target lives; what stands beside it there may say the account, too.
    `files`: where the target's configuration files are written, in a folder for each lane.
    """

    def __init__(
        self,
        subject: Subject,
        environment: Environment,
        run: str,
        topics: Topics,
        house: Housing | None = None,
        files: Path | None = None,
    ) -> None:
        self.subject = subject
        self.environment = environment
        self.run = run
        self.name = f"killpoint_{run.replace('-', '_')}"
        self.template = f"{self.name}_template"
        self.topics = topics
        self.house = house or ThisMachine()
        self._files = files
        services = self.house.services
        self.account = (
            subject.account if services is None else subject.account.over(services.account)
        )
        self.auditor = Auditor(
            subject.checks,
            subject.against,
            environment.database,
            ExpectedPrograms(subject, environment).totals,
            subject.neighbours,
        )
        self.bounds = Bounds(subject.checks)
        self._users = 0
        self._writing_functions: frozenset[str] = frozenset()
        self._lanes: list[Lane] = []
        self._latest: dict[int, tuple[str, str]] = {}
        """Database and group that each lane was last launched with, for further replicas."""

    async def prepare(self) -> None:
        """Make topics, events and the template database.

        Raises UserError if a program or script of the user's fails, or EnvironmentFailed.
        """
        await self._make_template()
        await self.topics.fill()
        await self.auditor.use(self.topics.ledger)
        if not self.subject.database.by_target:
            await self._finish_templates()

    def database_of(self, number: str) -> str:
        """The name of the database of one run of the target."""
        return self.account.database or f"{self.name}_{number}"

    async def audit(self, database: str, written: frozenset[str]) -> Audit:
        """Audit a database; the ledger is read again if the target wrote to its own sources.

        Not while others use it: their runs and this one will be repeated, each alone.
        """
        if self.topics.written(written) and self._users <= 1:
            await self.auditor.use(await self.topics.read())
            self.bounds.forget()
        return await self.auditor.audit(database)

    async def snapshot(self, database: str) -> object:
        """The actual totals between a crash and the restart, for the exposure."""
        return await self.auditor.snapshot(database)

    @contextmanager
    def used(self) -> Generator[None]:
        """A scenario is at work in it; with several at a time the topics are left as they are."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1

    async def drop(self) -> None:
        """Remove the template."""
        for key in self._templates():
            await self.environment.database.drop(template_of(self.template, key))

    async def _reset_topics(self) -> None:
        if self._users <= 1 and await self.topics.reset():
            await self.auditor.use(self.topics.ledger)
            self.bounds.forget()

    async def _produce_late(self) -> Mapping[TopicPartition, int]:
        ledger = await self.topics.produce_late()
        await self.auditor.use(ledger)
        self.bounds.forget()
        return ledger.ends(self.topics.partitions)

    async def _make_template(self) -> None:
        database = self.environment.database
        own, name = database.login("postgres"), self.account.database
        if self.account.user is not None or self.account.password is not None:
            user, password = self.account.user or own.user, self.account.password or own.password
            await database.admit(user, password)
            self.account = Account(name, user, password)
        await self._services_first()
        templates = self._templates()
        for key, (origin, known) in templates.items():
            await make_template(
                database,
                template_of(self.template, key),
                origin,
                table=_table(key),
                name=known,
                migrate=self._migrate,
            )

    async def let_target_migrate(self, stage: Stage) -> None:
        """Where the target makes its own tables: the templates become what its first start leaves.

        Raises UserError if it does not come to wait for events.
        """
        if not self.subject.database.by_target:
            return
        server, database = self.environment.database, self.database_of("first")
        group = self.subject.group or f"killpoint-{self.run}-first"
        await stage.databases.make(database)
        try:
            self.topics.written(await first_start(stage, database, group))
            for name, template in stage.neighbours.copies(database, self.template):
                await server.drop(template)
                await server.create(template, name)
        except FirstStartFailed as error:
            raise UserError(
                "[database] migrate: the target did not make its tables",
                str(error),
                'see its log, or raise [target] start_timeout: "2m"',
            ) from error
        finally:
            await to_the_end(stage.databases.drop(database))
        await self._finish_templates()

    async def _finish_templates(self) -> None:
        """The rows before any event; then it is known what a run begins with."""
        server, known = self.environment.database, frozenset[str]()
        for key, (origin, _) in self._templates().items():
            template = template_of(self.template, key)
            await seed(server, template, origin, _table(key))
            known |= await server.writing_functions(template)
        await self.auditor.clean_images.begin(self.template)
        self._writing_functions = known
        for lane in self._lanes:
            lane.writing_functions = known

    def _templates(self) -> dict[str | None, tuple[Origin, str | None]]:
        """How each database comes to be, and the name that the target has built in."""
        subject, names = self.subject, self.subject.neighbours.names
        templates: dict[str | None, tuple[Origin, str | None]] = {
            None: (subject.database, self.account.database)
        }
        for key, origin in subject.databases.items():
            templates[key] = (origin, names[key])
        return templates

    async def _migrate(self, program: tuple[str, ...], template: str) -> None:
        login, direct = self._login(template), self.environment.broker.direct
        # Beside a template stand templates, which have no names of their own.
        neighbours = Neighbours(dict.fromkeys(self.subject.databases))
        subject = dataclasses.replace(self.subject, neighbours=neighbours)
        files = self._folder("migrate")
        launch = subject.launch(program, direct, login, "killpoint", files)
        await run_user_program("[database] migrate", launch, self.subject.folder)

    async def _services_first(self) -> None:
        """Run the services that come before the target, on the database whose name they have."""
        services, name = self.house.services, self.account.database
        if services is None:
            return
        database, broker = self.environment.database, self.environment.broker
        if name is not None and not await database.exists(name):
            await database.create(name)
        await services.run_once()
        # Theirs may be among the topics; killpoint makes them as the configuration says.
        await broker.delete_topics(self.subject.topics)

    def stage(self, lane: Lane, target: Target) -> Stage:
        """What the runs of a lane work on; only after `prepare`."""
        subject, environment = self.subject, self.environment
        lane.writing_functions = self._writing_functions
        self._lanes.append(lane)
        services = self.house.services
        starts = tuple(
            Position(source.topic, partition, 0)
            for source in subject.sources
            if source.committed_start
            for partition in range(source.partitions)
        )
        ends = self.topics.ledger.ends(self.topics.partitions)
        return Stage(
            target=target,
            proxies=lane.proxies,
            broker=environment.broker,
            database=environment.database,
            template=self.template,
            launch=partial(self._launch, lane),
            start_positions=starts,
            ends=ends,
            rules=subject.rules,
            patience=subject.patience,
            restart=subject.restart,
            position_query=subject.position,
            reset_topics=self._reset_topics,
            late=Late(ends, self._produce_late) if self.topics.late else None,
            refresh=self.house.refresh,
            unwatched=() if services is None else services.unwatched,
            database_made=self.auditor.clean_images.made,
            direct_addresses=self._direct(),
            neighbours=subject.neighbours,
            own_addresses=subject.registry.addresses,
            hooks=self._hooks(),
            topics_beside=frozenset(subject.topics_beside),
            replicas=len(lane.pairs),
        )

    def spare(self, second: Target) -> Spare:
        """What keeps replacements ready, with a second target for them."""
        return Spare(second, self._launch_spare)

    def _launch(self, lane: Lane, database: str, group: str) -> Launch:
        self._latest[lane.number] = database, group
        return self._launch_at(str(lane.number), database, group, _edges(lane, 0))

    def launch_beside(self, lane: Lane, replica: int) -> Launch:
        """How the replica of an index is started beside the others, with ports of its own."""
        place = f"{lane.number}-{replica}" if replica else str(lane.number)
        return self._launch_at(place, *self._latest[lane.number], _edges(lane, replica))

    def _launch_spare(self, database: str, group: str, edges: Mapping[str, Address]) -> Launch:
        """Its configuration files stand apart from those of the first, which still lives."""
        return self._launch_at(f"spare-{edges['kafka'].port}", database, group, edges)

    def _launch_at(
        self, place: str, database: str, group: str, edges: Mapping[str, Address]
    ) -> Launch:
        """The addresses of `edges`; `place` names the folder of its configuration files."""
        login, postgres = self._login(database), edges["postgres"]
        through = dataclasses.replace(login, host=postgres.host, port=postgres.port)
        subject, port = self.subject, FreePorts() if self.subject.container is None else OwnPorts()
        folder = self._folder(place)
        launch = subject.launch_target(edges["kafka"], through, group, folder, port)
        if subject.after_start is None:
            return launch
        after = self._beside(subject.after_start, database, group, port)
        return dataclasses.replace(launch, after_start=after)

    def _beside(
        self,
        program: tuple[str, ...],
        database: str,
        group: str,
        port: Callable[[str], int] | None = None,
    ) -> Launch:
        """A program of the user's beside the target, past the proxies."""
        direct, files = self.environment.broker.direct, self._folder("hooks")
        return self.subject.launch(program, direct, self._login(database), group, files, port)

    def _hooks(self) -> Hooks:
        before, after = self.subject.before_scenario, self.subject.after_scenario
        return Hooks(
            partial(self._beside, before) if before else None,
            partial(self._beside, after) if after else None,
            partial(run_hook, folder=self.subject.folder),
        )

    def _folder(self, name: str) -> Path | None:
        return None if self._files is None else self._files / name

    def _login(self, database: str) -> Login:
        """How a target logs in to a database, past the proxies."""
        login, account = self.environment.database.login(database), self.account
        return dataclasses.replace(
            login,
            user=account.user or login.user,
            password=account.password or login.password,
        )

    def _direct(self) -> frozenset[tuple[str, int]]:
        login = self.environment.database.login("postgres")
        direct = self.environment.broker.direct
        return frozenset({(direct.host, direct.port), (login.host, login.port)})


def _table(key: str | None) -> str:
    """The table of the configuration that a database comes from."""
    return "[database]" if key is None else f"[databases.{key}]"


def _edges(lane: Lane, replica: int) -> dict[str, Address]:
    """Where the proxies of a lane's replica listen, by their edges; all have one pair, or each."""
    pair = lane.pairs[replica] if lane.beside else lane.pairs[0]
    kafka, postgres = (proxy.address for proxy in pair)
    assert kafka is not None and postgres is not None, "the stack was not started"
    return {"kafka": kafka, "postgres": postgres}
