"""Facts about Docker: the engine, its images, Compose, its disk, and the way from its containers.

Counterparts: `facts` has those of the embedded stack, `killpoint doctor` prints both. To try the
way one container is started, of an image that is there, and removed again.
"""

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from killpoint.compose.compose_facts import compose_fact
from killpoint.compose.docker_client import EngineMissing, Json
from killpoint.compose.docker_container import Container, create, start
from killpoint.compose.docker_engine import Engine
from killpoint.compose.docker_image import could_pull, has_image
from killpoint.compose.docker_network import target_network
from killpoint.compose.docker_run import docker_run
from killpoint.compose.docker_servers import POSTGRES_IMAGE, ServerWishes
from killpoint.compose.facts import Fact
from killpoint.faults.environment import EnvironmentFailed

_ROOM: Final = 3 * 1024**3
"""Bytes that both images, their containers and a target's take, with a margin."""
_WAY_SECONDS: Final = 15.0
_IN_CONTAINER: Final = (Path("/.dockerenv"), Path("/run/.containerenv"))


async def docker_facts() -> list[Fact]:
    """All facts; only the first where no engine answers. None is needed by the embedded stack."""
    try:
        engine = await Engine.connected()
    except EngineMissing as error:
        what, _, remedy = str(error).partition(". ")
        return [Fact("Docker", False, what, remedy, needed=False), *_inside()]
    try:
        info = await engine.ask("describe itself", lambda client: client.info())
        wishes = ServerWishes()
        wanted = {"Kafka's image": wishes.kafka.image, "Postgres's image": wishes.postgres.image}
        images = {image: await has_image(engine, image) for image in wanted.values()}
    except EnvironmentFailed as error:
        return [Fact("Docker", False, str(error), needed=False), *_inside()]
    finally:
        await engine.close()
    return [
        _engine(info),
        *(_image(name, image, there=images[image]) for name, image in wanted.items()),
        await _way(there=images[POSTGRES_IMAGE]),
        await compose_fact(needed=False),
        _disk(info),
        *_inside(),
    ]


async def image_facts(wanted: Mapping[str, str]) -> list[Fact]:
    """Whether an engine answers, and has the images (name to image): one fact each, all needed.

    An image that is not there is needed only if its registry does not offer it either.
    """
    try:
        engine = await Engine.connected()
    except EngineMissing as error:
        what, _, remedy = str(error).partition(". ")
        return [Fact("Docker", False, what, remedy)]
    try:
        return [await _needed(engine, name, image) for name, image in wanted.items()]
    except EnvironmentFailed as error:
        return [Fact("Docker", False, str(error))]
    finally:
        await engine.close()


async def _needed(engine: Engine, name: str, image: str) -> Fact:
    if await has_image(engine, image):
        return Fact(name, True, image)
    if await could_pull(engine, image):
        return Fact(name, False, f"{image} will be pulled", f"docker pull {image}", needed=False)
    remedy = f"docker pull {image}, docker load --input FILE, or name another image"
    return Fact(name, False, f"{image} is not here and cannot be pulled", remedy)


def _engine(info: Json) -> Fact:
    version, system = info.get("ServerVersion", "?"), info.get("OperatingSystem", "?")
    groups = info.get("CgroupVersion", "1")
    return Fact("Docker", True, f"engine {version} on {system}, control groups v{groups}")


def _image(name: str, image: str, *, there: bool) -> Fact:
    if there:
        return Fact(name, True, image)
    return Fact(name, False, f"{image} is not here yet", f"docker pull {image}", needed=False)


async def _way(*, there: bool) -> Fact:
    """Whether a container reaches what listens on the gateway of its network."""
    name = "way to killpoint"
    if not there:
        return Fact(name, False, f"not tried: it takes {POSTGRES_IMAGE}", needed=False)
    remedy = "Let the firewall of this machine take connections from Docker's bridges (br-*)."
    try:
        if await _reached():
            return Fact(name, True, "a container reaches the gateway of its network")
    except (EnvironmentFailed, OSError) as error:
        return Fact(name, False, str(error), remedy, needed=False)
    return Fact(name, False, "no container reaches its network's gateway", remedy, needed=False)


async def _reached() -> bool:
    arrived = asyncio.Event()

    async def arrive(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrived.set()
        writer.close()

    async with docker_run() as run:
        network = await target_network(run)
        server = await asyncio.start_server(arrive, network.host, 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            command = ("bash", "-c", f": </dev/tcp/{network.named}/{port}")
            caller = Container(POSTGRES_IMAGE, run.labels, command=command, network=network.name)
            await start(run.engine, await create(run.engine, caller, run.name("caller")))
            try:
                await asyncio.wait_for(arrived.wait(), _WAY_SECONDS)
            except TimeoutError:
                return False
    return True


def _disk(info: Json) -> Fact:
    folder = Path(str(info.get("DockerRootDir", "/var/lib/docker")))
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return Fact("Docker's disk", True, f"{folder}, which is not this machine's to look at")
    what = f"{folder}, {free // 2**20} MiB free"
    remedy = f"Free {_ROOM // 2**20} MiB:  docker system prune"
    return Fact("Docker's disk", free >= _ROOM, what, remedy, needed=False)


def _inside() -> list[Fact]:
    """Said only where killpoint is in a container itself."""
    if not any(path.exists() for path in _IN_CONTAINER):
        return []
    what = (
        "killpoint runs in a container. For targets in containers it needs the engine's socket and "
        "the network of the engine's machine (docker run --network host --volume "
        "/var/run/docker.sock:/var/run/docker.sock …); [target] volumes are paths of that machine"
    )
    return [Fact("this container", True, what)]
