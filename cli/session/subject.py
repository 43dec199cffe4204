"""The subject: one consumer with all that its runs need, whether from a file or a sample.

Counterpart: the configuration and the catalogue of samples make it, the examination runs it.
Nothing is started here.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from killpoint.checks.baseline import CleanRunCheck
from killpoint.checks.check import Check
from killpoint.checks.guarantee import Guarantee
from killpoint.cli.config.database import TARGET, OriginTable
from killpoint.cli.config.env_file import read_env_file
from killpoint.cli.config.executable import find_executable
from killpoint.cli.config.load import Project
from killpoint.cli.config.placeholders import Placeholders
from killpoint.cli.config.ports import FreePorts, OwnPorts
from killpoint.cli.config.query import query_text
from killpoint.cli.config.rendering import FileTemplate, write_files
from killpoint.cli.config.source import SourceTable
from killpoint.cli.config.target import TargetTable
from killpoint.cli.config.verify_files import template_of
from killpoint.cli.config.verify_replicas import ONE
from killpoint.cli.events.origin import events_of, schema_of
from killpoint.cli.formats.registry import Registry
from killpoint.cli.session.template import Origin
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.consumers.catalogue import Sample, clicks
from killpoint.compose.container_wish import ContainerWish, absolute_volume
from killpoint.compose.housing import Wish
from killpoint.faults.environment import Account, Address, Login
from killpoint.faults.gate import GateRules
from killpoint.faults.neighbours import Neighbours
from killpoint.faults.record import Record
from killpoint.faults.scenario import Scenario
from killpoint.faults.stage import Launch, Patience, Restart

DEMO_TOPIC = "clicks"
FILES_IN_CONTAINERS = "/killpoint/files"
"""Where containers find the folders of configuration files, one a lane."""


@dataclass(frozen=True, slots=True)
class Source:
    """A topic with its events: `records`, or those that the program `produce` sends.

    `late`: so many of the last records come later, see `faults.stage.Late`.
    `formatted`: the values are of a format, by schemas of the subject's registry.
    """

    topic: str
    partitions: int
    committed_start: bool
    records: tuple[Record, ...] = ()
    produce: tuple[str, ...] | None = None
    late: int = 0
    formatted: bool = False

    @property
    def early_records(self) -> tuple[Record, ...]:
        """Those that are there before the target starts."""
        return self.records[: max(0, len(self.records) - self.late)]

    @property
    def late_records(self) -> tuple[Record, ...]:
        """Those that come later."""
        return self.records[len(self.early_records) :]


@dataclass(frozen=True, slots=True)
class Subject:
    """A consumer under test. `scenarios` are those listed by the user; empty means a sweep.

    `account`: what it knows of its database by heart; its runs then have one at a time. `databases`
    come to be beside the main one, `neighbours` has their names. `one_dies`: of its `replicas` the
    one that comes to a moment dies alone.
    """

    name: str
    folder: Path
    command: tuple[str, ...]
    env: Mapping[str, str]
    group: str | None
    sources: tuple[Source, ...]
    database: Origin
    position: str | None
    checks: tuple[Check, ...]
    rules: GateRules
    restart: Restart
    patience: Patience
    actions: tuple[str, ...]
    requirement: Guarantee | None
    scenarios: tuple[Scenario, ...] = ()
    container: Wish | None = None
    against: tuple[CleanRunCheck, ...] = ()
    account: Account = field(default_factory=Account)
    databases: Mapping[str, Origin] = field(default_factory=dict[str, Origin])
    neighbours: Neighbours = field(default_factory=Neighbours)
    env_file: Mapping[str, str] = field(default_factory=dict[str, str])
    files: tuple[FileTemplate, ...] = ()
    registry: Registry = field(default_factory=Registry)
    spare: bool = False
    answer_at: Mapping[str, Address] = field(default_factory=dict[str, Address])
    topics_beside: Mapping[str, int] = field(default_factory=dict[str, int])
    after_start: tuple[str, ...] | None = None
    before_scenario: tuple[str, ...] | None = None
    after_scenario: tuple[str, ...] | None = None
    replicas: int = 1
    one_dies: bool = False

    @property
    def told_apart_by(self) -> tuple[Check, ...]:
        """The checks, if they alone tell events apart: not where rows are compared as well."""
        return () if self.against else self.checks

    @property
    def topics(self) -> dict[str, int]:
        """The source topics and their numbers of partitions."""
        return {source.topic: source.partitions for source in self.sources}

    @property
    def formatted(self) -> set[str]:
        """The source topics whose values have a schema."""
        return {source.topic for source in self.sources if source.formatted}

    def launch(
        self,
        command: tuple[str, ...],
        kafka: Address,
        login: Login,
        group: str,
        files: Path | None = None,
        port: Callable[[str], int] | None = None,
    ) -> Launch:
        """Command and environment of one start: killpoint's own environment under `env`.

        `files` is the folder that the configuration files of this start are written to; `port`
        gives the ports of another start where they are to be the same.
        """
        places = self._places(kafka, login, group, port or FreePorts(), self.registry.url)
        if files is not None:
            places = replace(places, files=str(files))
            write_files(self.files, files, places)
        environment = {**os.environ, **self._variables(places)}
        words = [places.fill(word) for word in command]
        program = find_executable(words[0], self.folder, environment)
        return Launch((program, *words[1:]), environment)

    def launch_target(
        self,
        kafka: Address,
        login: Login,
        group: str,
        files: Path | None = None,
        port: Callable[[str], int] | None = None,
    ) -> Launch:
        """Command and environment of one start of the target.

        In a container it has the image's environment below `env`, and ports of its own: the same
        ones at each start. A service of a compose file has what that gives it, under its own names.
        """
        if self.container is None:
            return self.launch(self.command, kafka, login, group, files, port)
        ports, registry = port or OwnPorts(), self.registry.url_in_containers
        places = self._places(kafka, login, group, ports, registry)
        if files is not None:
            places = replace(places, files=f"{FILES_IN_CONTAINERS}/{files.name}")
            write_files(self.files, files, places)
        return Launch(tuple(places.fill(word) for word in self.command), self._variables(places))

    def _variables(self, places: Placeholders) -> dict[str, str]:
        """A file's addresses are those of a developer's servers: killpoint's own go before them."""
        filled = places.fill_all(self.env)
        given = {} if isinstance(self.container, ComposeWish) else places.environment()
        return {**self.env_file, **given, **filled}

    @property
    def what(self) -> str:
        """The target in words: its command, and what its container is made of."""
        if self.container is None:
            return " ".join(self.command)
        made = self.container
        if isinstance(made, ComposeWish):
            return " ".join((f"service {made.service} of {made.file.name}", *self.command))
        origin = f"image {made.image}" if made.image else f"image built from {made.build}"
        return " ".join((origin, *self.command))

    def _places(
        self,
        kafka: Address,
        login: Login,
        group: str,
        port: Callable[[str], int],
        registry: str,
    ) -> Placeholders:
        names = {key: self.neighbours.of(login.database, key) for key in self.neighbours.names}
        beside = {key: replace(login, database=name) for key, name in names.items()}
        return Placeholders(
            kafka, login, self.sources[0].topic, group, port, beside, schema_registry=registry
        )


def subject_of(project: Project, seed: str) -> Subject:
    """The subject that a configuration file describes. Raises ConfigError for its events."""
    configuration = project.configuration
    target, database, run = configuration.target, configuration.database, configuration.run
    beside, moments = configuration.databases, configuration.moments
    registry = Registry(project.folder)
    return Subject(
        name=project.file.parent.name,
        folder=project.folder,
        command=target.command or (),
        env=target.env,
        group=target.group,
        sources=tuple(
            _source(table, project.folder, seed, registry) for table in configuration.source
        ),
        registry=registry,
        database=_origin(database, project.folder),
        position=query_text(database.position, project.folder) if database.position else None,
        checks=project.checks,
        against=project.against,
        rules=GateRules(moments.start == "start", frozenset(map(str.lower, moments.ignore_tables))),
        restart=Restart(target.restart),
        patience=Patience(
            start_seconds=target.start_timeout,
            stop_seconds=target.stop_grace,
            drain_seconds=run.drain_timeout,
            restart_limit=target.restart_limit,
        ),
        spare=target.spare,
        replicas=target.replicas,
        one_dies=run.dies == ONE,
        answer_at={} if target.in_container else _answer_at(target),
        actions=run.actions,
        requirement=Guarantee(run.require) if run.require else None,
        scenarios=tuple(
            table.as_scenario(f"S{number:02}")
            for number, table in enumerate(configuration.scenario, 1)
        ),
        container=_container(target, project.folder, configuration.stack.postgres == "compose"),
        account=database.account,
        databases={key: _origin(table, project.folder) for key, table in beside.items()},
        env_file=read_env_file(project.folder / target.env_file) if target.env_file else {},
        files=tuple(template_of(file, project.folder) for file in target.files),
        topics_beside=configuration.stack.topics_beside,
        after_start=target.after_start,
        before_scenario=configuration.hooks.before_scenario,
        after_scenario=configuration.hooks.after_scenario,
        neighbours=Neighbours({key: table.name for key, table in beside.items()}),
    )


def _origin(table: OriginTable, folder: Path) -> Origin:
    def text(name: str) -> str:
        return (folder / name).read_text("utf-8")

    return Origin(
        schema=text(table.schema_file) if table.schema_file else None,
        migrate=None if table.migrate == TARGET else table.migrate,
        by_target=table.migrate == TARGET,
        extensions=table.extensions,
        seeds=tuple((name, text(name)) for name in table.seed),
    )


def _container(target: TargetTable, folder: Path, own_postgres: bool) -> Wish | None:
    if not target.in_container:
        return None
    if target.compose is not None and target.service is not None:
        return ComposeWish(
            file=(folder / target.compose).resolve(),
            service=target.service,
            answer_at=_answer_at(target),
            reset=target.reset,
            once=target.once,
            same=target.container == "same",
            own_postgres=own_postgres,
        )
    return ContainerWish(
        image=target.image,
        build=(folder / target.build).resolve() if target.build is not None else None,
        volumes=tuple(absolute_volume(text, folder) for text in target.volumes),
        user=target.user,
        memory=target.memory,
        same=target.container == "same",
    )


def _answer_at(target: TargetTable) -> dict[str, Address]:
    told = target.answer_at.model_dump(exclude_none=True)
    return {kind: _address(text) for kind, text in told.items()}


def _address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    return Address(host, int(port))


def _source(table: SourceTable, folder: Path, seed: str, registry: Registry) -> Source:
    records: Sequence[Record] = events_of(table, folder, seed)
    schema = schema_of(table, folder)
    if schema is not None:
        number = registry.register(f"{table.topic}-value", schema)
        records = [
            record._replace(value=registry.encoded(number, schema, record.value))
            for record in records
        ]
    return Source(
        table.topic,
        table.partitions,
        table.group_start == "committed",
        tuple(records),
        table.produce,
        table.late,
        formatted=schema is not None,
    )


def sample_subject(
    sample: Sample,
    make: Callable[..., tuple[Record, ...]] = clicks,
    container: ContainerWish | None = None,
) -> Subject:
    """The subject of a sample consumer, reading the demo's clicks; `container`: of its image."""
    return Subject(
        name=sample.name,
        folder=sample.path.parent,
        command=("python3" if container else "{python}", sample.path.name),
        env=sample.environment,
        group=None,
        sources=(Source(DEMO_TOPIC, 1, True, make(DEMO_TOPIC)),),
        database=Origin(schema=sample.schema),
        position=sample.position,
        checks=(Check(sample.check.name, sample.check.expected, sample.check.actual),),
        rules=GateRules(),
        restart=Restart.ALWAYS,
        patience=Patience(),
        actions=("kill",),
        requirement=None,
        container=container,
    )
