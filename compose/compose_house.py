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
from killpoint.compose.compose_edges import KAFKA, POSTGRES
from killpoint.compose.compose_plan import Plan, plan_of
from killpoint.compose.compose_project import ComposeProject
from killpoint.compose.compose_rewrite import Neighbourhood, rewritten
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.container_body import led_to, volumes_of, with_binds, with_volumes
from killpoint.compose.container_target import ContainerTarget
from killpoint.compose.docker_client import Client
from killpoint.compose.docker_container import Container
from killpoint.compose.docker_engine import EngineRefused
from killpoint.compose.docker_network import (
    TargetNetwork,
    cannot_listen,
    target_network,
    target_networks,
)
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
    """Targets are containers like the one that Compose made, one at a time, or its replicas.

    Every replica stands on the first of the `networks`. The names of Kafka and Postgres, which the
    file has fixed with their ports, lead each to the gateway of a network of its own: so what comes
    there is known to be of that replica. With one network alone they are not told apart.
    """

    run: DockerRun
    networks: Sequence[TargetNetwork]
    services: Services
    project: ComposeProject
    plan: Plan
    body: Json
    same: bool = False
    _targets: list[tuple[int, ServiceTarget]] = field(
        default_factory=list[tuple[int, ServiceTarget]]
    )
    _volumes: dict[str, str] = field(init=False)
    """The run's volume for each of the service's, which its replicas share."""
    _old_volumes: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self._volumes = self._new_volumes()

    @property
    def host(self) -> str:
        return self.networks[0].host

    @property
    def named(self) -> str:
        return self.networks[0].named

    @property
    def tells_apart(self) -> bool:
        return len(self.networks) > 1

    def host_of(self, replica: int) -> str:
        """See Housing."""
        return self.networks[max(replica, 1) - 1].host

    def listens(self, edge: str) -> Address:
        """See Housing."""
        edges = self.plan.edges
        return {KAFKA: edges.kafka, POSTGRES: edges.postgres}[edge].address

    def target(self, folder: Path, log: Path, replica: int = 1) -> ServiceTarget:
        """See Housing; the folder that it runs in is the service's."""
        made = ServiceTarget(self.run, self._container(replica), log, same=self.same)
        made.names = self.project.addresses
        self._targets.append((replica, made))
        return made

    async def refresh(self) -> None:
        """See Housing: the volumes of the target and the services beside it are new ones."""
        old = [*self._old_volumes, *self._volumes.values()]
        self._volumes, self._old_volumes = self._new_volumes(), []
        for replica, target in self._targets:
            target.image = self._container(replica)
        for name in old:
            try:
                what = f"remove the volume {name}"
                await self.run.engine.ask(what, partial(_remove_volume, name))
            except EngineRefused:
                self._old_volumes.append(name)  # the dead container still holds it
        await self.services.refresh()

    def _new_volumes(self) -> dict[str, str]:
        return {name: self.run.name("volume") for name in volumes_of(self.body)}

    def _container(self, replica: int) -> Container:
        body = with_volumes(self.body, self._volumes, self.run.labels)
        if self.tells_apart:
            body = led_to(body, self.plan.names, self.networks[replica - 1].entry)
        return Container(
            image=self.body["Image"],
            labels=self.run.labels,
            memory=self.body["HostConfig"].get("Memory") or None,
            body=body,
        )


def _remove_volume(name: str, client: Client) -> None:
    client.remove_volume(name, force=True)


@asynccontextmanager
async def compose_house(
    wish: ComposeWish, report: Report, logs: Path | None = None, replicas: int = 1
) -> AsyncGenerator[ComposeHouse]:
    """A house for a service; what those beside it said goes into the folder `logs` at the end.

    Raises EnvironmentFailed, or TargetError for what the file lacks.
    """
    plan = plan_of(await read_compose_file(wish.file), wish)
    report(str(plan))
    async with docker_run() as run:
        networks = await target_networks(run, replicas)
        targets, outside = networks[0], await target_network(run, "services")
        place = Neighbourhood(targets.name, outside.name, targets.entry, outside.entry, plan.names)
        beside = (*plan.once, *plan.beside)
        resolved = rewritten(plan.file, wish.service, beside, plan.fresh, place, run.labels)
        project = ComposeProject(run, resolved)
        await project.need_images(report)
        body = with_binds(await project.body(wish.service), wish.volumes)
        services = Services(plan, project, outside.host)
        try:
            yield ComposeHouse(run, networks, services, project, plan, body, wish.same)
        finally:
            await to_the_end(services.close())
            if logs is not None:
                with suppress(EngineRefused):
                    await to_the_end(keep_logs(run, logs))
