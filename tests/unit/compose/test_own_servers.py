"""Control of servers before, while and after they run, with a failure of one among them."""

import asyncio

import pytest

from killpoint.compose.own_servers import OwnServers, both
from killpoint.faults.environment import EnvironmentFailed


def test_nothing_can_be_asked_of_servers_that_do_not_run() -> None:
    servers = OwnServers(print)
    with pytest.raises(RuntimeError, match="not been started"):
        _ = servers.broker
    with pytest.raises(RuntimeError, match="not been started"):
        _ = servers.database


async def test_a_stop_without_a_start_and_a_second_one_do_nothing() -> None:
    servers = OwnServers(print)
    await servers.stop()
    await servers.stop()


async def test_the_first_failure_ends_the_other_start_and_is_raised_alone() -> None:
    ended = asyncio.Event()

    async def for_ever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def failing() -> None:
        raise EnvironmentFailed("no Java")

    with pytest.raises(EnvironmentFailed, match="no Java"):
        await both(for_ever(), failing())
    assert ended.is_set()


async def test_both_results_are_given_in_their_order() -> None:
    assert await both(asyncio.sleep(0, "kafka"), asyncio.sleep(0, 5432)) == ("kafka", 5432)
