"""The first start of a target that makes its own tables: without events, until it waits for them.

Counterpart: the session makes the templates of what it leaves. The offsets of its group are set to
the ends, so there is nothing to fetch; where it asks from elsewhere, it is ended before the first
records reach it.
"""

import asyncio
from typing import Final

from killpoint.faults.burial import bury
from killpoint.faults.gate import Gate
from killpoint.faults.moment import Moment, Side
from killpoint.faults.position import Position
from killpoint.faults.scenario import KILL, Fault
from killpoint.faults.stage import Stage
from killpoint.faults.target import Exit
from killpoint.faults.to_the_end import to_the_end
from killpoint.faults.watch import Watch

QUIET_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.1
_RECORDS: Final = Fault(Moment("kafka", "fetch", Side.AFTER), KILL)


class FirstStartFailed(RuntimeError):
    """The target did not come to wait for events; the message says what it did instead."""


async def first_start(stage: Stage, database: str, group: str) -> frozenset[str]:
    """Start it on databases of these names, which must be there, and end it when it waits.

    Returns the topics that it wrote to. Raises FirstStartFailed, or TargetError.
    """
    ends = [Position(place.topic, place.partition, end) for place, end in stage.ends.items()]

    async def at_the_ends(name: str) -> None:
        stage.groups_used.add(name)
        await stage.broker.commit_offsets(name, ends)

    watch = Watch(Gate((_RECORDS,)), at_the_ends)
    for proxy in stage.proxies:
        proxy.watch = watch
    if stage.refresh is not None:
        await stage.refresh()
    launch = stage.launch(database, group)
    watch.started()
    exited: asyncio.Future[Exit] | None = None
    try:
        await stage.target.start(launch.command, launch.environment)
        exited = asyncio.ensure_future(stage.target.exited())
        await _waiting(stage, watch, exited)
    finally:
        if exited is not None:
            exited.cancel()
        await to_the_end(_end(stage, watch))
    return frozenset(watch.progress.topics_written)


async def _waiting(stage: Stage, watch: Watch, exited: asyncio.Future[Exit]) -> None:
    """Return when it has joined its group or asked for records, and the database is quiet."""
    met = asyncio.ensure_future(watch.met())
    try:
        while not met.done():
            if exited.done():
                raise FirstStartFailed(f"it ended by itself: {exited.result()}")
            if watch.failure is not None:
                raise watch.failure
            if _quiet(stage, watch):
                return
            await watch.changed(_LOOK_SECONDS)
    finally:
        met.cancel()


def _quiet(stage: Stage, watch: Watch) -> bool:
    life, limit = watch.progress.life, stage.patience.start_seconds
    if life.joined is None:
        if watch.now - life.started > limit:
            raise FirstStartFailed(f"it neither joined a group nor fetched within {limit:g} s")
        return False
    if watch.requests_open or life.transaction_open:
        return False
    return watch.now - max(life.joined, life.last_sign or 0.0) >= QUIET_SECONDS


async def _end(stage: Stage, watch: Watch) -> None:
    watch.freeze()
    await stage.target.kill()
    await bury(stage, watch)
    for proxy in stage.proxies:
        proxy.watch = None
