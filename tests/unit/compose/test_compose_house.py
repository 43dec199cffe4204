"""The volumes and folders of containers that are made like another."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from killpoint.compose.compose_file import ComposeFile
from killpoint.compose.compose_house import ComposeHouse, Services
from killpoint.compose.compose_plan import plan_of
from killpoint.compose.compose_project import ComposeProject
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.docker_engine import CONFLICT, Engine
from killpoint.compose.docker_network import TargetNetwork
from killpoint.compose.docker_run import DockerRun
from killpoint.compose.run_folder import RunFolder
from tests.support.fake_engine import FakeClient, refused

PATH = Path("/shop/compose.yaml")
HOST = {"Binds": ["p_state:/state"], "ExtraHosts": ["kafka:172.18.0.1", "db:172.18.0.1"]}
BODY = {"Image": "app", "Env": list[str](), "HostConfig": HOST}


@pytest.fixture
def folder() -> Iterator[RunFolder]:
    with tempfile.TemporaryDirectory(prefix="kpt", dir="/tmp") as parent:
        made = RunFolder.create(parent=Path(parent))
        yield made
        made.remove()


def house(fake: FakeClient, folder: RunFolder, *gateways: str) -> ComposeHouse:
    """A house of a service without any beside it, and a network for each gateway."""
    services = {"app": {}, "kafka": {"image": "kafka"}, "db": {"image": "postgres"}}
    plan = plan_of(ComposeFile(PATH, {"services": services}), ComposeWish(PATH, "app"))
    run = DockerRun(Engine(fake.client), folder)
    project = ComposeProject(run, {"services": {}})
    networks = [TargetNetwork("net", one, one) for one in ("172.18.0.1", *gateways)]
    beside = Services(plan, project, networks[0].host)
    return ComposeHouse(run, networks, beside, project, plan, BODY)


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


def test_the_names_lead_each_replica_to_a_gateway_of_its_own(folder: RunFolder) -> None:
    made = house(FakeClient(), folder, "172.20.0.1")
    places = [made.target(Path("/"), Path("/dev/null"), replica) for replica in (1, 2)]
    hosts = [place.image.config()["HostConfig"]["ExtraHosts"] for place in places]
    assert made.tells_apart
    assert hosts[0] == HOST["ExtraHosts"]
    assert hosts[1] == ["kafka:172.20.0.1", "db:172.20.0.1"]
    assert [made.host_of(replica) for replica in (1, 2)] == ["172.18.0.1", "172.20.0.1"]
    assert str(made.listens("kafka")) == "kafka:9092"


def test_with_one_gateway_they_are_not_told_apart(folder: RunFolder) -> None:
    made = house(FakeClient(), folder)
    assert not made.tells_apart
    assert (made.host_of(0), made.host_of(1)) == ("172.18.0.1", "172.18.0.1")


async def test_replicas_share_the_volumes_of_the_service(folder: RunFolder) -> None:
    fake = FakeClient()
    made = house(fake, folder, "172.20.0.1")
    one, two = (made.target(Path("/"), Path("/dev/null"), replica) for replica in (1, 2))
    before = bound(one.image.config())
    assert bound(two.image.config()) == before
    fake.things = {before: ("volume", {})}
    await made.refresh()
    assert bound(one.image.config()) == bound(two.image.config()) != before


def bound(config: dict[str, object]) -> str:
    """The volume of a container."""
    host = cast("dict[str, Any]", config["HostConfig"])
    return str(host["Mounts"][0]["Source"])
