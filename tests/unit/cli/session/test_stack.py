"""The stack: edges listen before the servers start, and nothing is left, however it ends."""

import asyncio

import pytest

from killpoint.cli.session.stack import Stack
from killpoint.faults.environment import EnvironmentFailed
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
