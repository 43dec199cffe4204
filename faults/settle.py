"""Settling: wait until the servers have done what was already sent to them.

A statement or an offset commit that was forwarded outlives its client, so the crash state is exact
only when its answer has come. What waits for a lock would wait for ever: it is named, not awaited.
"""

import asyncio
from collections.abc import Sequence

from killpoint.faults.environment import BackendState, DatabaseServer
from killpoint.faults.watch import Watch

_POLL_SECONDS = 0.005


async def settle(
    watch: Watch, database: DatabaseServer, limit_seconds: float, replica: int | None = None
) -> tuple[str, ...]:
    """Wait for the answers of open requests; returns what was still in flight, in words.

    With a replica for its requests alone: the others live on and will be answered.
    """
    deadline = watch.now + limit_seconds
    pids = list(watch.backends_of(replica).values())
    while watch.now < deadline:
        busy = await _busy(database, pids)
        if not busy and not _awaited(watch, (), replica):
            return ()
        blocked = [state for state in busy if state.waits_for_lock]
        if blocked and not _awaited(watch, blocked, replica):
            return tuple(f"backend {state.pid} waits for a lock" for state in blocked)
        await watch.changed(_POLL_SECONDS)
    return (f"{watch.open_of(replica)} requests not answered in {limit_seconds:g} s",)


def _awaited(watch: Watch, blocked: Sequence[BackendState], replica: int | None) -> int:
    """Open requests whose answer can come: all but those of blocked backends."""
    pids = {state.pid for state in blocked}
    hopeless = sum(watch.open_on(at) for at, pid in watch.backends.items() if pid in pids)
    return watch.open_of(replica) - hopeless


async def _busy(database: DatabaseServer, pids: Sequence[int]) -> list[BackendState]:
    """Backends that are at work: those that do not wait for their client."""
    if not pids:
        return []
    return [state for state in await database.backends(pids) if not state.waits_for_client]


async def wait_gone(
    database: DatabaseServer, pids: Sequence[int], limit_seconds: float
) -> tuple[str, ...]:
    """Wait until the backends of a dead target are gone; returns those that are not, in words."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + limit_seconds
    living = list(pids)
    while living and loop.time() < deadline:
        living = [state.pid for state in await database.backends(living)]
        if living:
            await asyncio.sleep(_POLL_SECONDS)
    return tuple(f"backend {pid} still runs" for pid in living)
