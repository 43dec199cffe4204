"""What the doctor says of Docker where there is no engine, and in a container."""

from pathlib import Path

import pytest

from killpoint.compose import docker_facts as module
from killpoint.compose.docker_facts import docker_facts


@pytest.fixture(autouse=True)
def no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")


async def test_in_a_container_it_says_what_killpoint_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".dockerenv").touch()
    monkeypatch.setattr(module, "_IN_CONTAINER", (tmp_path / ".dockerenv",))
    docker, inside = await docker_facts()
    assert (docker.found, docker.needed) == (False, False)
    assert "no Docker engine answers" in docker.what and "Start Docker" in docker.remedy
    assert "runs in a container" in inside.what
    for needed in ("--network host", "/var/run/docker.sock:/var/run/docker.sock", "volumes"):
        assert needed in inside.what


async def test_elsewhere_it_says_nothing_of_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_IN_CONTAINER", (Path("/no/such/mark"),))
    (docker,) = await docker_facts()
    assert docker.name == "Docker"
