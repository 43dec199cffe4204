import errno
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from killpoint.compose.docker_engine import Engine
from killpoint.compose.docker_network import (
    TargetNetwork,
    cannot_listen,
    target_network,
    target_networks,
)
from killpoint.compose.docker_run import DockerRun
from killpoint.compose.run_folder import RunFolder
from killpoint.faults.environment import Address, EnvironmentFailed
from tests.support.fake_engine import FakeClient

BOTH = {"IPAM": {"Config": [{"Gateway": "fd00::1"}, {"Gateway": "172.18.0.1/16"}]}}


@pytest.fixture
def folder() -> Iterator[RunFolder]:
    with tempfile.TemporaryDirectory(prefix="kpt", dir="/tmp") as parent:
        made = RunFolder.create(parent=Path(parent))
        yield made
        made.remove()


async def made(fake: FakeClient, folder: RunFolder) -> TargetNetwork:
    return await target_network(DockerRun(Engine(fake.client), folder))


async def test_proxies_listen_on_the_ipv4_gateway(folder: RunFolder) -> None:
    fake = FakeClient(network=BOTH)
    network = await made(fake, folder)
    assert (network.host, network.named) == ("172.18.0.1", "172.18.0.1")
    kind, labels = fake.things[network.name]
    assert (kind, labels["killpoint.run"]) == ("network", folder.mark)


async def test_docker_desktop_has_a_name_for_this_machine(folder: RunFolder) -> None:
    network = await made(FakeClient(system="Docker Desktop"), folder)
    assert (network.host, network.named) == ("127.0.0.1", "host.docker.internal")


async def test_each_replica_has_a_network_where_this_machine_has_addresses(
    folder: RunFolder,
) -> None:
    fake = FakeClient(network=BOTH)
    assert len(await target_networks(DockerRun(Engine(fake.client), folder), 3)) == 3
    desktop = FakeClient(system="Docker Desktop")
    (alone,) = await target_networks(DockerRun(Engine(desktop.client), folder), 3)
    assert not alone.has_gateway and alone.entry == "host-gateway"


@pytest.mark.parametrize("found", [{}, {"IPAM": {"Config": None}}])
async def test_a_network_without_a_gateway_cannot_be_used(
    folder: RunFolder, found: dict[str, object]
) -> None:
    with pytest.raises(EnvironmentFailed, match="no IPv4 gateway"):
        await made(FakeClient(network=found), folder)


def test_a_port_that_another_stack_publishes_is_said_with_what_to_do() -> None:
    taken = OSError(errno.EADDRINUSE, "Address already in use")
    message = str(cannot_listen(Address("172.18.0.1", 5432), taken))
    assert "another program has the port 5432 on every address" in message
    assert '"127.0.0.1:5432:5432"' in message


def test_an_address_of_another_machine_is_said_with_what_to_do() -> None:
    elsewhere = OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address")
    assert "--network host" in str(cannot_listen(Address("172.18.0.1", 0), elsewhere))
