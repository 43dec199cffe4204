"""Burial: take a dead target out of the world before it is started again.

Its connections, its backends and its memberships would outlive it: a ghost's row locks disturb the
restart, a ghost member keeps the partitions until its session times out.
"""

from killpoint.faults.settle import wait_gone
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch


async def bury(stage: Stage, watch: Watch) -> tuple[str, ...]:
    """Close its connections, wait for its backends to end, remove its members.

    Returns what was still alive after the limit, in words.
    """
    pids = list(watch.backends.values())
    life = watch.progress.life
    members, unnamed = list(life.members.values()), list(life.unnamed)
    await stage.close_connections()
    ghosts = await wait_gone(stage.database, pids, stage.patience.gone_seconds)
    watch.backends.clear()
    life.members.clear()
    life.unnamed.clear()
    for group in unnamed:
        # Whoever waits in it without an id came from the dead target: it has the group to itself.
        members += await stage.broker.members(group)
    for member in members:
        # A static member's place is kept for its return (KIP-345): removing it would be a leave.
        if member.instance is None:
            await stage.broker.remove_member(member)
    return ghosts
