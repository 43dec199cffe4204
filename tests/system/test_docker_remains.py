"""SIGKILL of killpoint while it uses Docker: the next start removes all of it, and only that."""

import asyncio
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from killpoint.compose.docker_client import Client
from killpoint.compose.docker_labels import RUN
from killpoint.compose.docker_run import docker_run
from killpoint.compose.samples_image import SAMPLES_IMAGE
from tests.support.docker import labelled
from tests.support.project import Project
from tests.support.running import Running

LATEST_SECONDS, LIMIT_SECONDS = 15.0, 30.0
KILLS = 3
DOCKER = {"KILLPOINT_STACK": "docker"}


@pytest.fixture
def temporary() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="kp-", dir="/tmp") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


@pytest.fixture
def stranger(engine: Client) -> Iterator[str]:
    """A container of nobody's run, which stands in the way."""
    made = engine.create_container_from_config({"Image": SAMPLES_IMAGE, "Cmd": ["true"]}, "")["Id"]
    yield made
    engine.remove_container(made, v=True, force=True)


@pytest.mark.parametrize("number", range(KILLS))
def test_nothing_is_left_after_the_next_start(
    engine: Client, stranger: str, temporary: Path, tmp_path: Path, number: int
) -> None:
    after = random.Random(f"kill {number}").uniform(0.5, LATEST_SECONDS)
    project = Project(tmp_path)
    project.copy("counter")
    image = {"image": SAMPLES_IMAGE, "command": ["python3", "/project/counter.py"]}
    project.change({"target": {**image, "volumes": [f"{tmp_path}:/project:ro"]}})
    project.configure()
    with Running(tmp_path, temporary, "run", variables=DOCKER) as run:
        began = time.monotonic()
        run.until(lambda _: time.monotonic() - began > after)
        run.process.kill()
        run.ended()
    deadline = time.monotonic() + LIMIT_SECONDS
    asyncio.run(next_start())
    # The engine still makes what it was asked for just then: that is found by the start after.
    while left := [mark for mark in marks(engine) if mark.startswith(f"{temporary}/")]:
        assert time.monotonic() < deadline, f"left: {left}"
        asyncio.run(next_start())
    assert engine.inspect_container(stranger)["Id"] == stranger


def test_what_lives_is_left_alone(engine: Client) -> None:
    async def two_at_once() -> None:
        async with docker_run() as first:
            await first.engine.ask(
                "make a network",
                lambda c: c.create_network(first.name("x"), driver="bridge", labels=first.labels),
            )
            assert len(labelled(engine, f"{RUN}={first.folder.mark}")) == 1
            await next_start()
            assert len(labelled(engine, f"{RUN}={first.folder.mark}")) == 1
        assert labelled(engine, f"{RUN}={first.folder.mark}") == set()

    asyncio.run(two_at_once())


async def next_start() -> None:
    async with docker_run():
        pass


def marks(engine: Client) -> list[str]:
    """The marks of all runs that something of is there."""
    filters = {"label": [RUN]}
    found = [*engine.containers(all=True, filters=filters), *engine.networks(filters=filters)]
    return [str(one["Labels"][RUN]) for one in found]
