"""The volumes and folders of containers that are made like another."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from killpoint.compose.compose_file import ComposeFile
from killpoint.compose.compose_house import (
    ComposeHouse,
    Services,
    volumes_of,
    with_binds,
    with_volumes,
)
from killpoint.compose.compose_plan import plan_of
from killpoint.compose.compose_project import ComposeProject
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.docker_engine import CONFLICT, Engine
from killpoint.compose.docker_network import TargetNetwork
from killpoint.compose.docker_run import DockerRun
from killpoint.compose.run_folder import RunFolder
from tests.support.fake_engine import FakeClient, refused

PATH = Path("/shop/compose.yaml")
BODY = {"Image": "app", "Env": list[str](), "HostConfig": {"Binds": ["p_state:/state"]}}


@pytest.fixture
def folder() -> Iterator[RunFolder]:
    with tempfile.TemporaryDirectory(prefix="kpt", dir="/tmp") as parent:
        made = RunFolder.create(parent=Path(parent))
        yield made
        made.remove()


def house(fake: FakeClient, folder: RunFolder) -> ComposeHouse:
    """A house of a service without any beside it."""
    services = {"app": {}, "kafka": {"image": "kafka"}, "db": {"image": "postgres"}}
    plan = plan_of(ComposeFile(PATH, {"services": services}), ComposeWish(PATH, "app"))
    run = DockerRun(Engine(fake.client), folder)
    project = ComposeProject(run, {"services": {}})
    network = TargetNetwork("net", "172.18.0.1", "172.18.0.1")
    beside = Services(plan, project, network.host)
    return ComposeHouse(run, network, beside, project, plan.edges, BODY)


async def test_each_scenario_has_volumes_of_its_own_and_those_before_go(folder: RunFolder) -> None:
    fake = FakeClient()
    made = house(fake, folder)
    target = made.target(Path("/"), Path("/dev/null"))
    volumes = [bound(target.image.config())]
    fake.things = {volumes[0]: ("volume", {})}
    fake.fails = {f"remove {volumes[0]}": refused(CONFLICT, "volume is in use")}
    await made.refresh()
    volumes.append(bound(target.image.config()))
    fake.things[volumes[1]] = ("volume", {})
    fake.fails = {}
    await made.refresh()
    assert bound(target.image.config()) not in volumes
    assert fake.things == {}


def bound(config: dict[str, object]) -> str:
    """The volume of a container."""
    host = cast("dict[str, Any]", config["HostConfig"])
    return str(host["Mounts"][0]["Source"])


def test_volumes_with_a_name_are_other_ones_for_each_container() -> None:
    body = {"HostConfig": {"Binds": ["/a:/b:ro", "p_data:/data:rw", "p_in:/in:ro"], "Mounts": None}}
    assert volumes_of(body) == ["p_data", "p_in"]
    made = with_volumes(body, {"p_data": "v1", "p_in": "v2"}, {"run": "r"})["HostConfig"]
    assert made["Binds"] == ["/a:/b:ro"]
    assert [(m["Source"], m["Target"], m["ReadOnly"]) for m in made["Mounts"]] == [
        ("v1", "/data", False),
        ("v2", "/in", True),
    ]
    assert made["Mounts"][0]["VolumeOptions"] == {"Labels": {"run": "r"}}


def test_folders_of_this_machine_are_added() -> None:
    body = {"HostConfig": {"Binds": None, "Memory": 1}}
    assert with_binds(body, ("/a:/b",))["HostConfig"] == {"Binds": ["/a:/b"], "Memory": 1}
