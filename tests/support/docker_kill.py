"""SIGKILL of a killpoint that uses Docker, and what of it is left in the engine by the next start.

Counterparts: `tests/system/test_docker_remains.py` and the soak `sigkill-docker`.
"""

import time
from pathlib import Path

from killpoint.compose.docker_client import Client
from killpoint.compose.docker_labels import RUN
from killpoint.compose.docker_run import docker_run
from killpoint.compose.samples_image import SAMPLES_IMAGE
from tests.support.project import Project
from tests.support.running import Running

LIMIT_SECONDS = 30.0
DOCKER = {"KILLPOINT_STACK": "docker"}


def contained_project(folder: Path) -> None:
    """A project whose consumer runs in a container, as its servers do."""
    project = Project(folder)
    project.copy("counter")
    image = {"image": SAMPLES_IMAGE, "command": ["python3", "/project/counter.py"]}
    project.change({"target": {**image, "volumes": [f"{folder}:/project:ro"]}})
    project.configure()


def killed_after(folder: Path, temporary: Path, seconds: float) -> bool:
    """Run the project and kill killpoint then; False if it had ended before."""
    temporary.chmod(0o711)
    began = time.monotonic()
    with Running(folder, temporary, "run", variables=DOCKER) as run:
        run.until(lambda run: run.process.poll() is not None or time.monotonic() - began > seconds)
        killed = run.process.poll() is None
        run.process.kill()
        run.ended()
    return killed


async def left_by_next_starts(engine: Client, temporary: Path) -> list[str]:
    """The marks of that place's runs that something is still there of, after a limit.

    The engine still makes what it was asked for just then: the start after finds that.
    """
    deadline = time.monotonic() + LIMIT_SECONDS
    await next_start()
    while left := [mark for mark in marks(engine) if mark.startswith(f"{temporary}/")]:
        if time.monotonic() > deadline:
            return left
        await next_start()
    return []


async def next_start() -> None:
    """What every start does first: remove what dead runs have left."""
    async with docker_run():
        pass


def marks(engine: Client) -> list[str]:
    """The marks of all runs that a container, a network or a volume is there of."""
    filters = {"label": [RUN]}
    found = [
        *engine.containers(all=True, filters=filters),
        *engine.networks(filters=filters),
        *(engine.volumes(filters=filters).get("Volumes") or ()),
    ]
    return [str(one["Labels"][RUN]) for one in found]
