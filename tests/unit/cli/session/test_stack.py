"""The stack: edges listen before the servers start, and nothing is left, however it ends."""

import asyncio

import pytest

from killpoint.cli.session.stack import Stack
from killpoint.compose.housing import ThisMachine
from killpoint.compose.ports import Ports
from killpoint.faults.environment import Address, EnvironmentFailed
from tests.support.examined import FakeEnvironment
from tests.support.fakes import World


async def listens(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    writer.close()
    return True


async def test_every_lane_has_edges_of_its_own() -> None:
    environment = FakeEnvironment(World())
    async with Stack(environment, 2) as stack:
        edges = [edge for lane in stack.lanes for edge in (lane.kafka, lane.postgres)]
        ports = {edge.address.port for edge in edges if edge.address is not None}
        assert len(ports) == 4
        assert all([await listens("127.0.0.1", port) for port in ports])
        assert all(edge.upstream is not None for edge in edges)
        assert environment.stopped == 0
    assert environment.stopped == 1
    assert not any([await listens("127.0.0.1", port) for port in ports])


async def test_a_failed_start_leaves_nothing() -> None:
    environment = FakeEnvironment(World(), EnvironmentFailed("no Java"))
    stack = Stack(environment)
    with pytest.raises(EnvironmentFailed, match="no Java"):
        await stack.__aenter__()
    assert environment.stopped == 1
    address = stack.lanes[0].kafka.address
    assert address is not None and not await listens(address.host, address.port)


async def test_an_error_inside_stops_it_too() -> None:
    environment = FakeEnvironment(World())
    with pytest.raises(RuntimeError, match="inside"):
        async with Stack(environment):
            raise RuntimeError("inside")
    assert environment.stopped == 1


async def test_every_replica_has_edges_of_its_own() -> None:
    async with Stack(FakeEnvironment(World()), 2, replicas=3) as stack:
        edges = [edge for lane in stack.lanes for edge in lane.proxies]
        assert [edge.replica for edge in edges] == [1, 1, 2, 2, 3, 3] * 2
        ports = {edge.address.port for edge in edges if edge.address is not None}
        assert len(ports) == 12
        assert all(edge.upstream is not None for edge in edges)


async def test_replicas_that_know_an_address_share_it() -> None:
    with Ports(2) as reserved:
        kafka, postgres = (Address("127.0.0.1", port) for port in reserved.numbers)
    house = ThisMachine(answer_at={"kafka": kafka, "postgres": postgres})
    async with Stack(FakeEnvironment(World()), housing=house, replicas=2) as stack:
        assert [edge.address for edge in stack.lanes[0].proxies] == [kafka, postgres]
        assert [edge.replica for edge in stack.lanes[0].proxies] == [0, 0]
