"""The target as a container: the measured table, and every request of a Target by itself."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio

from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack_choice import StackWish
from killpoint.compose.container_target import ContainerTarget
from killpoint.compose.container_wish import ContainerWish
from killpoint.compose.docker_client import Client
from killpoint.compose.docker_run import docker_run
from killpoint.compose.housing import ContainerHouse, housing
from killpoint.compose.samples_image import SAMPLES_IMAGE
from killpoint.faults.environment import Address
from killpoint.faults.target import Exit, TargetError
from tests.support.docker import labelled
from tests.support.exact_table import CONSUMERS, ExactTable, Silence, cells

LOOKS, REST_SECONDS = 1000, 0.02
SAMPLES = ContainerWish(SAMPLES_IMAGE)
COUNTING = """
import signal, sys, time
def end(*_):
    print("ending", flush=True)
    sys.exit(7)
signal.signal(signal.SIGTERM, end)
n = 0
while True:
    n += 1
    print(n, flush=True)
"""
FORKING = """
import os
os.fork()
while True:
    with open(f"/shared/{os.getpid()}", "w") as file:
        file.write("x" * 100)
"""
WRITING = """
with open("/shared/written", "ab", buffering=0) as file:
    while True:
        file.write(b"x")
"""
KEEPING = """
import os
print("there" if os.path.exists("/kept") else "new", flush=True)
open("/kept", "w").close()
"""
HOLDING = """
import os, socket, time
connection = socket.create_connection((os.environ["HOST"], int(os.environ["PORT"])))
file = open("/tmp/written", "w")
print("open", flush=True)
time.sleep(600)
"""
EATING = "x = [' ' * 1_000_000 for _ in range(1000)]"


@dataclass(slots=True)
class Place:
    """A house for containers; each target has a log of its own."""

    house: ContainerHouse
    folder: Path
    made: list[ContainerTarget]

    @property
    def log(self) -> Path:
        return self.folder / "target.log"

    def target(self, house: ContainerHouse | None = None) -> ContainerTarget:
        self.made.append((house or self.house).target(self.folder, self.log))
        return self.made[-1]

    async def said(self, target: ContainerTarget, line: str) -> None:
        """Wait until the container has printed a line."""
        for _ in range(LOOKS):
            if line in (await target.output()).splitlines():
                return
            await asyncio.sleep(REST_SECONDS)
        raise AssertionError(f"it did not say {line}: {await target.output()}")

    async def grown(self, file: Path, size: int) -> None:
        """Wait until a file that the container writes is larger than it was."""
        for _ in range(LOOKS):
            if size_of(file) > size:
                return
            await asyncio.sleep(REST_SECONDS)
        raise AssertionError(f"{file} did not grow beyond {size} bytes")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def house(engine: Client) -> AsyncIterator[ContainerHouse]:
    before = labelled(engine)
    async with housing(SAMPLES, lambda words: None) as made:
        assert isinstance(made, ContainerHouse)
        yield made
    assert labelled(engine) <= before


@pytest_asyncio.fixture(loop_scope="session")
async def place(house: ContainerHouse, tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(house, tmp_path, [])
    yield made
    for target in made.made:
        await target.close()


def size_of(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def python(program: str) -> tuple[str, ...]:
    return ("python3", "-c", program)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("consumer", CONSUMERS)
async def test_every_cell_is_as_measured(engine: Client, consumer: str) -> None:
    async with opened_stack(1, Silence(), StackWish("docker"), SAMPLES) as stack:
        consumed = await ExactTable(stack, container=SAMPLES).consume(stack.lanes[0], consumer)
    assert [one.cell for one in consumed.shown] == list(cells(consumer))
    assert consumed.wrong == []


async def test_a_frozen_container_does_nothing_and_thaws(place: Place, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    image = replace(place.house.image, volumes=(f"{shared}:/shared",))
    target = place.target(replace(place.house, image=image))
    await target.start(python(WRITING), {})
    await place.grown(shared / "written", 0)
    await target.freeze()
    before = size_of(shared / "written")
    await target.output()  # some time passes
    assert size_of(shared / "written") == before
    await target.thaw()
    await place.grown(shared / "written", before)


async def test_a_kill_while_frozen_lets_no_process_go_on(place: Place, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    image = replace(place.house.image, volumes=(f"{shared}:/shared",))
    target = place.target(replace(place.house, image=image))
    await target.start(python(FORKING), {})
    for _ in range(LOOKS):
        if len(list(shared.iterdir())) == 2:
            break
        await asyncio.sleep(REST_SECONDS)
    await target.freeze()
    before = {path.name: path.stat().st_mtime_ns for path in shared.iterdir()}
    assert len(before) == 2
    await target.kill()
    assert {path.name: path.stat().st_mtime_ns for path in shared.iterdir()} == before


async def test_the_log_has_what_every_incarnation_said(place: Place) -> None:
    target = place.target()
    for word in ("first", "second"):
        await target.start(("echo", word), {})
        assert await target.exited() == Exit(0)
        await target.kill()
    assert place.log.read_text("utf-8") == "first\nsecond\n"


@pytest.mark.parametrize("frozen", [False, True])
async def test_an_orderly_stop_is_the_programs_own(place: Place, frozen: bool) -> None:
    target = place.target()
    await target.start(python(COUNTING), {})
    await place.said(target, "1")
    if frozen:
        await target.freeze()
    assert await target.terminate(20) == Exit(7)
    assert place.log.read_text("utf-8").endswith("ending\n")


async def test_who_does_not_stop_in_time_is_killed(place: Place) -> None:
    target = place.target()
    stubborn = "import signal,time; signal.signal(15, signal.SIG_IGN); print('on', flush=True)\n"
    await target.start(python(stubborn + "time.sleep(600)"), {})
    await place.said(target, "on")
    assert await target.terminate(0.2) == Exit(137)


async def test_a_new_container_starts_with_the_images_files(place: Place) -> None:
    assert await kept(place.target(), place) == ["new", "new"]


async def test_the_same_container_keeps_its_files(place: Place) -> None:
    assert await kept(place.target(replace(place.house, same=True)), place) == ["new", "there"]


async def kept(target: ContainerTarget, place: Place) -> list[str]:
    for _ in range(2):
        await target.start(python(KEEPING), {"A": "1"})
        await target.exited()
        await target.kill()
    return place.log.read_text("utf-8").splitlines()


async def test_the_oom_killer_is_named(place: Place) -> None:
    image = replace(place.house.image, memory=64 << 20)
    target = place.target(replace(place.house, image=image))
    await target.start(python(EATING), {})
    how = await target.exited()
    assert (how.code, how.cause) == (137, "killed by the OOM killer (out of memory)")


async def test_what_it_holds_is_seen(place: Place) -> None:
    gone = asyncio.Event()

    async def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await gone.wait()
        writer.close()

    server = await asyncio.start_server(accept, place.house.host, 0)
    port: int = server.sockets[0].getsockname()[1]
    target = place.target()
    try:
        where = {"HOST": place.house.named, "PORT": str(port)}
        await target.start(python(HOLDING), where)
        await place.said(target, "open")
        assert await target.sockets() == [Address(place.house.named, port)]
        assert await target.files() == [Path("/tmp/written")]
    finally:
        gone.set()
        server.close()
        await target.kill()


async def test_a_program_that_is_not_in_the_image_is_said_with_what_to_check(place: Place) -> None:
    with pytest.raises(TargetError, match="no-such-program") as caught:
        await place.target().start(("no-such-program",), {})
    assert "[target] image, command" in str(caught.value)


async def test_nothing_restarts_it_but_killpoint(place: Place, engine: Client) -> None:
    target = place.target()
    await target.start(python(COUNTING), {})
    (found,) = engine.containers(all=True, filters={"label": labels(place)})
    state = engine.inspect_container(str(found["Id"]))
    assert state["HostConfig"]["RestartPolicy"]["Name"] == "no"
    assert [*state["NetworkSettings"]["Networks"]] == [place.house.network.name]


def labels(place: Place) -> list[str]:
    return [f"{name}={value}" for name, value in place.house.run.labels.items()]


async def test_two_runs_have_networks_of_their_own(place: Place) -> None:
    async with docker_run() as other:
        assert other.labels != place.house.run.labels
        assert other.name("targets").split("-")[1] != place.house.network.name.split("-")[1]
