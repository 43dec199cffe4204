"""The action `kill`: SIGKILL to the whole tree of the target, at an exact state of the world.

The order matters (measured): the edges are frozen already when this begins; stop the tree; settle;
record; kill; drop what is held; close the servers' connections; wait until the dead backends and
the dead member are gone.
"""

from killpoint.faults.actions.crash import Crash
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.frontier import FrontierEntry, frontier
from killpoint.faults.position import TopicPartition
from killpoint.faults.settle import settle, wait_gone
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch


async def kill(stage: Stage, watch: Watch) -> Crash:
    """Kill the target; every edge must be frozen. Returns when it can be started again."""
    await stage.target.freeze()
    in_flight = await settle(watch, stage.database, stage.patience.settle_seconds)
    reached = await _frontier(stage, watch)
    await stage.target.kill()
    watch.note("killed")
    ghosts = await bury(stage, watch)
    return Crash(reached, in_flight, ghosts)


async def bury(stage: Stage, watch: Watch) -> tuple[str, ...]:
    """Take a dead target out of the world: its connections, its backends, its memberships."""
    pids = list(watch.backends.values())
    members = list(watch.progress.life.members.values())
    await stage.close_connections()
    ghosts = await wait_gone(stage.database, pids, stage.patience.gone_seconds)
    for member in members:
        # A static member's place is kept for its return (KIP-345): removing it would be a leave.
        if member.instance is None:
            await stage.broker.remove_member(member)
    return ghosts


async def _frontier(stage: Stage, watch: Watch) -> tuple[FrontierEntry, ...]:
    committed: dict[TopicPartition, int] = {}
    for group in watch.groups:
        try:
            committed.update(await stage.broker.committed(group))
        except EnvironmentFailed:
            committed.update(watch.progress.committed)
    return frontier(watch.progress.life.fetched, committed, stage.ends)
