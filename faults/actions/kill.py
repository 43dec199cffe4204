"""The action `kill`: SIGKILL to the target's whole tree, or one replica's, at an exact state.

The order matters (measured): the edges are frozen already when this begins; stop the tree; settle;
record; kill; drop what is held; close the servers' connections; wait until the dead backends and
the dead member are gone. Where one replica dies alone the others stay stopped meanwhile, and what
they have said or are told is kept.
"""

import asyncio

from killpoint.faults.actions.crash import Crash
from killpoint.faults.burial import bury
from killpoint.faults.frontier import frontier_of
from killpoint.faults.settle import settle
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch


async def kill(stage: Stage, watch: Watch) -> Crash:
    """Kill the target; every edge must be frozen. Returns when it can be started again."""
    dying = watch.dying
    # What the servers still do was forwarded before: the edges, not the stop, bound it.
    settling = settle(watch, stage.database, stage.patience.settle_seconds, dying)
    in_flight, _ = await asyncio.gather(settling, stage.target.freeze())
    # The broker is asked beside it: what the target has said is done, and it can say no more.
    reached, _ = await asyncio.gather(frontier_of(stage, watch), stage.kill(dying))
    watch.note("killed" if dying is None else f"replica {dying} killed")
    ghosts = await bury(stage, watch, dying)
    return Crash(reached, in_flight, ghosts)
