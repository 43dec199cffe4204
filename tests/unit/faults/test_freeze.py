"""The freeze: one edge, or all."""

import asyncio

from killpoint.faults.freeze import Freeze

LIMIT_SECONDS = 5.0


def held(freeze: Freeze) -> tuple[bool, bool, bool]:
    return freeze.frozen, freeze.holds("kafka"), freeze.holds("postgres")


def test_all_edges_or_one() -> None:
    freeze = Freeze()
    assert held(freeze) == (False, False, False)
    freeze.freeze()
    assert held(freeze) == (True, True, True)
    freeze.freeze("postgres")
    assert held(freeze) == (True, False, True)
    freeze.thaw()
    assert held(freeze) == (False, False, False)


async def test_who_waits_goes_on_when_its_own_edge_opens() -> None:
    freeze = Freeze()
    freeze.freeze()
    kafka, postgres = (asyncio.ensure_future(freeze.thawed(edge)) for edge in ("kafka", "postgres"))
    await asyncio.sleep(0)
    freeze.freeze("postgres")
    async with asyncio.timeout(LIMIT_SECONDS):
        await kafka
    assert not postgres.done()
    freeze.freeze()
    freeze.thaw()
    async with asyncio.timeout(LIMIT_SECONDS):
        await postgres
