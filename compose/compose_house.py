"""Where a service of the user's compose file lives as the target, with the services beside it.

Counterparts: `housing` asks for it, `compose_project` runs what is beside the target, and
`container_target` the target. Its Kafka and its Postgres are the run's, behind the names and ports
that the file has for them.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from killpoint.compose.compose_cli import read_compose_file
from killpoint.compose.compose_edges import KAFKA, POSTGRES, Edges
from killpoint.compose.compose_plan import Plan, plan_of
from killpoint.compose.compose_project import ComposeProject
from killpoint.compose.compose_rewrite import Neighbourhood, rewritten
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.container_target import ContainerTarget
from killpoint.compose.docker_client import Client
from killpoint.compose.docker_container import Container
from killpoint.compose.docker_engine import EngineRefused
from killpoint.compose.docker_network import TargetNetwork, cannot_listen, target_network
from killpoint.compose.docker_run import DockerRun, docker_run
from killpoint.compose.docker_server import keep_logs
from killpoint.compose.passage import Passage
from killpoint.faults.environment import Account, Address, Upstream
from killpoint.faults.to_the_end import to_the_end

Json = dict[str, Any]
Report = Callable[[str], None]


class Services:
    """What is beside the target: its names for Kafka and Postgres, and the other services."""

    def __init__(self, plan: Plan, project: ComposeProject, host: str) -> None:
        self._plan = plan
        self._project = project
        self._host = host
        self._kafka, self._postgres = Passage(), Passage()
        self._started = False

    @property
    def account(self) -> Account:
        """What the target logs in to Postgres with, as far as the file says it."""
        return self._plan.account

    @property
    def unwatched(self) -> tuple[str, ...]:
        """The services whose state nobody looks at."""
        return self._plan.beside

    async def open(self) -> Address:
        """Listen for what they say to Kafka and Postgres; returns the address of their Kafka.

        Raises EnvironmentFailed when a port is taken.
        """
        kafka, postgres = self._plan.edges.kafka.address, self._plan.edges.postgres.address
        for passage, port in ((self._kafka, kafka.port), (self._postgres, postgres.port)):
            try:
                await passage.listen(self._host, port)
            except OSError as error:
                raise cannot_listen(Address(self._host, port), error) from error
        return kafka

    def lead(self, upstream: Upstream) -> None:
        """Where their connections go."""
        self._kafka.upstream, self._postgres.upstream = upstream.kafka, upstream.postgres

    async def run_once(self) -> None:
        """Run those that come first, such as migrations. Raises TargetError."""
        if self._plan.once:
            await self._project.run_once(self._plan.once)

    async def refresh(self) -> None:
        """Start what every scenario finds as new, and the others once. Raises TargetError."""
        wanted = self._plan.fresh if self._started else self._plan.beside
        self._started = True
        if wanted:
            await self._project.start(wanted)

    async def close(self) -> None:
        """Cut their connections. Their containers go with the run. Idempotent."""
        await self._kafka.close()
        await self._postgres.close()


class ServiceTarget(ContainerTarget):
    """A container that calls those beside it by the names of their services."""

    names: Callable[[], Awaitable[Mapping[str, str]]]

    async def sockets(self) -> list[Address]:
        """See Target."""
        found, names = await super().sockets(), await self.names()
        return [Address(names.get(one.host, one.host), one.port) for one in found]


@dataclass(slots=True)
class ComposeHouse:
    """Targets are containers like the one that Compose made, one at a time."""

    run: DockerRun
    network: TargetNetwork
    services: Services
    project: ComposeProject
    edges: Edges
    body: Json
    same: bool = False
    _targets: list[ServiceTarget] = field(default_factory=list[ServiceTarget])
    _volumes: list[str] = field(default_factory=list[str])

    @property
    def host(self) -> str:
        return self.network.host

    @property
    def named(self) -> str:
        return self.network.named

    def listens(self, edge: str) -> Address:
        """See Housing."""
        return {KAFKA: self.edges.kafka, POSTGRES: self.edges.postgres}[edge].address

    def target(self, folder: Path, log: Path) -> ServiceTarget:
        """See Housing; the folder that it runs in is the service's."""
        made = ServiceTarget(self.run, self._container(), log, same=self.same)
        made.names = self.project.addresses
        self._targets.append(made)
        return made

    async def refresh(self) -> None:
        """See Housing: the volumes of the target and the services beside it are new ones."""
        old, self._volumes = self._volumes, []
        for target in self._targets:
            target.image = self._container()
        for name in old:
            try:
                what = f"remove the volume {name}"
                await self.run.engine.ask(what, partial(_remove_volume, name))
            except EngineRefused:
                self._volumes.append(name)  # the dead container still holds it
        await self.services.refresh()

    def _container(self) -> Container:
        named = {name: self.run.name("volume") for name in volumes_of(self.body)}
        self._volumes += named.values()
        return Container(
            image=self.body["Image"],
            labels=self.run.labels,
            memory=self.body["HostConfig"].get("Memory") or None,
            body=with_volumes(self.body, named, self.run.labels),
        )


def _remove_volume(name: str, client: Client) -> None:
    client.remove_volume(name, force=True)


def with_binds(body: Json, volumes: Sequence[str]) -> Json:
    """The body bound to more of this machine's folders."""
    host: Json = body["HostConfig"]
    return {**body, "HostConfig": {**host, "Binds": [*(host.get("Binds") or []), *volumes]}}


def volumes_of(body: Json) -> list[str]:
    """The volumes with a name that a container is bound to."""
    binds: list[str] = body["HostConfig"].get("Binds") or []
    return [bind.partition(":")[0] for bind in binds if not bind.startswith("/")]


def with_volumes(body: Json, named: Mapping[str, str], labels: Mapping[str, str]) -> Json:
    """The body with other volumes in the place of those with a name; the engine makes them."""
    host: Json = body["HostConfig"]
    binds: list[str] = host.get("Binds") or []
    mounts = [
        {
            "Type": "volume",
            "Source": named[source],
            "Target": where,
            "ReadOnly": "ro" in options.split(","),
            "VolumeOptions": {"Labels": dict(labels)},
        }
        for source, where, options in (_parts(bind) for bind in binds)
        if source in named
    ]
    kept = [bind for bind in binds if bind.partition(":")[0] not in named]
    whole: list[Any] = [*(host.get("Mounts") or []), *mounts]
    return {**body, "HostConfig": {**host, "Binds": kept, "Mounts": whole}}


def _parts(bind: str) -> tuple[str, str, str]:
    source, where, *options = bind.split(":")
    return source, where, options[0] if options else ""


@asynccontextmanager
async def compose_house(
    wish: ComposeWish, report: Report, logs: Path | None = None
) -> AsyncGenerator[ComposeHouse]:
    """A house for a service; what those beside it said goes into the folder `logs` at the end.

    Raises EnvironmentFailed, or TargetError for what the file lacks.
    """
    plan = plan_of(await read_compose_file(wish.file), wish)
    report(str(plan))
    async with docker_run() as run:
        targets, outside = await target_network(run), await target_network(run, "services")
        place = Neighbourhood(targets.name, outside.name, targets.entry, outside.entry, plan.names)
        beside = (*plan.once, *plan.beside)
        resolved = rewritten(plan.file, wish.service, beside, plan.fresh, place, run.labels)
        project = ComposeProject(run, resolved)
        await project.need_images(report)
        body = with_binds(await project.body(wish.service), wish.volumes)
        services = Services(plan, project, outside.host)
        try:
            yield ComposeHouse(run, targets, services, project, plan.edges, body, wish.same)
        finally:
            await to_the_end(services.close())
            if logs is not None:
                with suppress(EngineRefused):
                    await to_the_end(keep_logs(run, logs))
