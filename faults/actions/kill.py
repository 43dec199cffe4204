"""The action `kill`: SIGKILL to the whole tree of the target, at an exact state of the world.

The order matters (measured): the edges are frozen already when this begins; stop the tree; settle;
record; kill; drop what is held; close the servers' connections; wait until the dead backends and
the dead member are gone.
"""

from killpoint.faults.actions.crash import Crash
from killpoint.faults.burial import bury
from killpoint.faults.frontier import frontier_of
from killpoint.faults.settle import settle
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch


async def kill(stage: Stage, watch: Watch) -> Crash:
    """Kill the target; every edge must be frozen. Returns when it can be started again."""
    await stage.target.freeze()
    in_flight = await settle(watch, stage.database, stage.patience.settle_seconds)
    reached = await frontier_of(stage, watch)
    await stage.target.kill()
    watch.note("killed")
    ghosts = await bury(stage, watch)
    return Crash(reached, in_flight, ghosts)
