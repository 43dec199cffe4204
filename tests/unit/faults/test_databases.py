"""Databases of runs: made ahead and dropped behind, never two with one name."""

import asyncio

import pytest

from killpoint.faults.databases import Databases
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.neighbours import Neighbours
from tests.support.fakes import FakeDatabase, World

BESIDE = Neighbours({"orders": None, "archive": "kept"})


def databases(world: World, neighbours: Neighbours | None = None) -> Databases:
    return Databases(world.database, "t", neighbours or Neighbours())


async def test_those_of_a_run_come_and_go_together() -> None:
    world = World()
    of_runs = databases(world, BESIDE)
    await of_runs.make("db_1")
    await of_runs.drop("db_1")
    assert world.calls == [
        "create db_1 from t",
        "create db_1_orders from t_orders",
        "create kept from t_archive",
        "drop db_1",
        "drop db_1_orders",
        "drop kept",
    ]


async def test_what_was_made_ahead_is_not_made_again() -> None:
    world = World()
    of_runs = databases(world)
    await of_runs.make("db_1")
    of_runs.make_ahead("db_2", "db_1")
    of_runs.make_ahead("db_2", "db_1")
    await of_runs.make("db_2")
    await of_runs.close()
    assert world.calls == ["create db_1 from t", "create db_2 from t"]


async def test_a_name_that_a_current_one_has_is_not_made_ahead() -> None:
    world = World()
    of_runs = databases(world, BESIDE)
    await of_runs.make("db_1")
    made = list(world.calls)
    of_runs.make_ahead("db_2", "db_1")
    of_runs.make_ahead("db_1", "db_1")
    await of_runs.close()
    assert world.calls == made


async def test_what_is_made_waits_for_the_drop_before_it() -> None:
    world = World()
    of_runs = databases(world)
    await of_runs.make("db")
    await of_runs.drop_behind("db")
    await of_runs.make("db")
    assert world.calls == ["create db from t", "drop db", "create db from t"]


async def test_what_was_made_for_a_run_that_never_came_is_dropped() -> None:
    world = World()
    of_runs = databases(world)
    await of_runs.make("db_1")
    of_runs.make_ahead("db_2", "db_1")
    await of_runs.drop_behind("db_1")
    await of_runs.close()
    assert sorted(world.calls[-2:]) == ["drop db_1", "drop db_2"]
    await of_runs.close()
    assert len(world.calls) == 4


async def test_who_is_cancelled_while_it_waits_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, go_on = World(), asyncio.Event()
    of_runs = databases(world)

    async def create(self: FakeDatabase, database: str, template: str | None = None) -> None:
        await go_on.wait()
        world.calls.append(f"create {database}")

    monkeypatch.setattr(FakeDatabase, "create", create)
    of_runs.make_ahead("db_2", "db_1")
    making = asyncio.ensure_future(of_runs.make("db_2"))
    await asyncio.wait({making}, timeout=0)
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    go_on.set()
    await of_runs.close()
    assert world.calls == ["create db_2", "drop db_2"]


async def test_what_failed_ahead_is_told_to_who_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    of_runs = databases(world)

    async def create(self: FakeDatabase, database: str, template: str | None = None) -> None:
        raise EnvironmentFailed("no space")

    monkeypatch.setattr(FakeDatabase, "create", create)
    of_runs.make_ahead("db_2", "db_1")
    with pytest.raises(EnvironmentFailed, match="no space"):
        await of_runs.make("db_2")
    with pytest.raises(EnvironmentFailed, match="no space"):
        await of_runs.close()
    assert world.calls == ["drop db_2"]
    await of_runs.close()
