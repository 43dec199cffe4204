"""The freeze: one connection, or all."""

import asyncio

from killpoint.faults.freeze import Freeze

LIMIT_SECONDS = 5.0


KAFKA, POSTGRES = ("kafka", 1), ("postgres", 1)


def held(freeze: Freeze) -> tuple[bool, bool, bool]:
    return freeze.frozen, freeze.holds(KAFKA), freeze.holds(POSTGRES)


def test_all_connections_or_one() -> None:
    freeze = Freeze()
    assert held(freeze) == (False, False, False)
    freeze.freeze()
    assert held(freeze) == (True, True, True)
    freeze.freeze(POSTGRES)
    assert held(freeze) == (True, False, True)
    assert not freeze.holds(("postgres", 2))
    freeze.thaw()
    assert held(freeze) == (False, False, False)


async def test_who_waits_goes_on_when_its_own_connection_opens() -> None:
    freeze = Freeze()
    freeze.freeze()
    kafka, postgres = (asyncio.ensure_future(freeze.thawed(at)) for at in (KAFKA, POSTGRES))
    await asyncio.sleep(0)
    freeze.freeze(POSTGRES)
    async with asyncio.timeout(LIMIT_SECONDS):
        await kafka
    assert not postgres.done()
    freeze.freeze()
    freeze.thaw()
    async with asyncio.timeout(LIMIT_SECONDS):
        await postgres
