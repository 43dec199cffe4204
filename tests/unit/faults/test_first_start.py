"""The first start of a target that makes its tables, on a world in memory."""

import asyncio
from dataclasses import replace

import pytest

from killpoint.faults import first_start as module
from killpoint.faults.events import FetchAsked, GroupNamed, RecordsFetched
from killpoint.faults.first_start import FirstStartFailed, first_start
from killpoint.faults.position import Position, Span
from killpoint.faults.target import Exit
from tests.support.fakes import EVENTS, GROUP, PLACE, TOPIC, Consumer, Life, Wire, World


@pytest.fixture(autouse=True)
def soon_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.1)


async def started(world: World) -> frozenset[str]:
    world.database.rows["db"] = 0
    async with asyncio.timeout(5):
        return await first_start(world.stage, "db", GROUP)


def living(life: Life) -> World:
    return World((life,))


async def test_it_finds_no_events_and_is_ended_when_it_waits() -> None:
    world = living(Consumer())
    assert await started(world) == frozenset()
    assert world.broker.offsets[GROUP] == {PLACE: EVENTS}
    assert world.database.rows["db"] == 0
    assert world.calls[-4:] == ["kill", "close kafka", "close postgres", "remove member"]
    assert [proxy.watch for proxy in world.stage.proxies] == [None, None]
    assert GROUP in world.stage.groups_used


async def test_one_that_asks_from_elsewhere_is_ended_before_it_gets_records() -> None:
    got: list[bool] = []

    async def life(wire: Wire) -> Exit:
        await wire.ask("kafka", FetchAsked((Position(TOPIC, 0, 0),)))
        await wire.answer("kafka", RecordsFetched(1, (Span(TOPIC, 0, 0, EVENTS),)))
        got.append(True)
        return Exit(0)

    world = living(life)
    await started(world)
    assert "kill" in world.calls
    assert got == []


async def test_one_that_ends_is_told() -> None:
    async def life(wire: Wire) -> Exit:
        await wire.ask("kafka", GroupNamed(wire.group))
        return Exit(3)

    with pytest.raises(FirstStartFailed, match="ended by itself: exit 3"):
        await started(living(life))


async def test_one_that_never_comes_is_told() -> None:
    async def life(wire: Wire) -> Exit:
        await asyncio.Event().wait()
        return Exit(0)

    world = living(life)
    world.stage.patience = replace(world.stage.patience, start_seconds=0.2)
    with pytest.raises(FirstStartFailed, match=r"neither joined a group nor fetched within 0.2 s"):
        await started(world)
    assert "kill" in world.calls
