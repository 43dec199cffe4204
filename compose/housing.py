"""Where targets live: on this machine, as trees of processes, or in containers.

Counterparts: the session asks for a target and where its proxies must listen; `process_target` and
`container_target` are what it gets. Containers stand on a network of their own.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from killpoint.compose.compose_house import Services, compose_house
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.container_target import ContainerTarget
from killpoint.compose.container_wish import ContainerWish
from killpoint.compose.docker_build import build_image
from killpoint.compose.docker_container import Container
from killpoint.compose.docker_image import need_image
from killpoint.compose.docker_network import TargetNetwork, target_network
from killpoint.compose.docker_run import DockerRun, docker_run
from killpoint.compose.ports import LOOPBACK
from killpoint.compose.process_target import ProcessTarget
from killpoint.faults.environment import Address
from killpoint.faults.target import Target

Report = Callable[[str], None]
Wish = ContainerWish | ComposeWish


class OwnedTarget(Target, Protocol):
    """A target that its owner has to close."""

    async def close(self) -> None:
        """End it and all that it needs. Idempotent."""
        ...


class Housing(Protocol):
    """`host`: where proxies listen, on this machine; `named`: how its targets call that.

    `services`: what lives beside its targets. `tells_apart`: whether each of several replicas can
    come to proxies of its own.
    """

    @property
    def host(self) -> str: ...

    @property
    def named(self) -> str: ...

    @property
    def services(self) -> Services | None: ...

    @property
    def tells_apart(self) -> bool: ...

    def host_of(self, replica: int) -> str:
        """Where the proxies of one replica listen, from 1; 0 stands for all."""
        ...

    def listens(self, edge: str) -> Address:
        """By which name and port its targets reach an edge; port 0 stands for any."""
        ...

    async def refresh(self) -> None:
        """Bring what a target may have changed in it back to its first state."""
        ...

    def target(self, folder: Path, log: Path, replica: int = 1) -> OwnedTarget:
        """A new target, or one replica of it; a process runs in `folder`, it writes to `log`."""
        ...


@dataclass(frozen=True, slots=True)
class ThisMachine:
    """Targets are processes. `answer_at`: by edge, the addresses that they know by heart."""

    host: str = LOOPBACK
    named: str = LOOPBACK
    services: None = None
    answer_at: Mapping[str, Address] = field(default_factory=dict[str, Address])

    @property
    def tells_apart(self) -> bool:
        """Not where all know the same address by heart."""
        return not self.answer_at

    def host_of(self, replica: int) -> str:
        """See Housing: each proxy has a port of its own there."""
        return self.host

    def listens(self, edge: str) -> Address:
        """See Housing; where a target cannot be told, it is at the address that it knows."""
        return self.answer_at.get(edge, Address(LOOPBACK, 0))

    async def refresh(self) -> None:
        """See Housing: nothing of this machine is brought back."""

    def target(self, folder: Path, log: Path, replica: int = 1) -> ProcessTarget:
        """See Housing."""
        return ProcessTarget(folder, log)


@dataclass(frozen=True, slots=True)
class ContainerHouse:
    """Targets are containers of one image on the network of a run."""

    run: DockerRun
    network: TargetNetwork
    image: Container
    same: bool = False
    services: None = None
    tells_apart: bool = True

    @property
    def host(self) -> str:
        return self.network.host

    def host_of(self, replica: int) -> str:
        """See Housing: each proxy has a port of its own there."""
        return self.host

    @property
    def named(self) -> str:
        """How its targets call the host."""
        return self.network.named

    def listens(self, edge: str) -> Address:
        """See Housing."""
        return Address(self.network.named, 0)

    async def refresh(self) -> None:
        """See Housing: volumes are the user's, and are left as they are."""

    def target(self, folder: Path, log: Path, replica: int = 1) -> ContainerTarget:
        """See Housing; the folder that it runs in is the image's."""
        return ContainerTarget(self.run, self.image, log, same=self.same)


@asynccontextmanager
async def housing(
    wish: Wish | None,
    report: Report,
    answer_at: Mapping[str, Address] | None = None,
    logs: Path | None = None,
    replicas: int = 1,
) -> AsyncGenerator[Housing]:
    """A place for targets; without a wish it is this machine, with addresses to answer at.

    `logs`: the folder for what services beside the target say. `replicas`: of each target.

    Raises EnvironmentFailed, and TargetError where the image cannot be built, or the compose file
    does not say what is needed.
    """
    if wish is None:
        yield ThisMachine(answer_at=answer_at or {})
        return
    if isinstance(wish, ComposeWish):
        async with compose_house(wish, report, logs, replicas) as house:
            yield house
        return
    async with docker_run() as run:
        image = await _image(run, wish, report)
        network = await target_network(run)
        container = Container(
            image=image,
            labels=run.labels,
            network=network.name,
            volumes=wish.volumes,
            user=wish.user,
            memory=wish.memory,
        )
        yield ContainerHouse(run, network, container, wish.same)


async def _image(run: DockerRun, wish: ContainerWish, report: Report) -> str:
    if wish.build is not None:
        return await build_image(wish.build, report)
    assert wish.image is not None, "neither image nor build"
    await need_image(run.engine, wish.image, "[target] image", report)
    return wish.image
