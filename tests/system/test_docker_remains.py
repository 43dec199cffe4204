"""SIGKILL of killpoint while it uses Docker: the next start removes all of it, and only that."""

import asyncio
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from killpoint.compose.docker_client import Client
from killpoint.compose.docker_labels import RUN
from killpoint.compose.docker_run import docker_run
from killpoint.compose.samples_image import SAMPLES_IMAGE
from tests.support.docker import labelled
from tests.support.docker_kill import (
    contained_project,
    killed_after,
    left_by_next_starts,
    next_start,
)

LATEST_SECONDS = 15.0
KILLS = 3


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
    contained_project(tmp_path)
    assert killed_after(tmp_path, temporary, after)
    assert asyncio.run(left_by_next_starts(engine, temporary)) == []
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
