"""The action `terminate`: an orderly stop, as in every deploy: SIGTERM, a grace, then SIGKILL.

The target is stopped (SIGSTOP) while the signal is sent, so that it gets SIGTERM before the answer
that was held reaches it; then the edges thaw and it may do whatever it does on its way out. Where
one replica goes alone, as in a rolling deploy, the others work on all the while.
"""

import asyncio

from killpoint.faults.actions.crash import Crash
from killpoint.faults.burial import bury
from killpoint.faults.frontier import frontier_of
from killpoint.faults.settle import settle
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch


async def terminate(stage: Stage, watch: Watch) -> Crash:
    """Terminate the target; every edge must be frozen. Returns when it can be started again."""
    dying = watch.dying
    await stage.target.freeze()
    reached = await frontier_of(stage, watch)
    ending = asyncio.ensure_future(stage.terminate(dying))
    try:
        watch.thaw()
        if dying is not None:
            await stage.target.thaw()
        how = await asyncio.shield(ending)
    finally:
        ending.cancel()
    await stage.connections_ended(dying)
    watch.freeze()
    watch.note(f"terminated: {how}" if dying is None else f"replica {dying} terminated: {how}")
    in_flight = await settle(watch, stage.database, stage.patience.settle_seconds, dying)
    ghosts = await bury(stage, watch, dying)
    return Crash(reached, in_flight, ghosts, ended=how)
