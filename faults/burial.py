"""Burial: take a dead target out of the world before it is started again.

Its connections, its backends and its memberships would outlive it: a ghost's row locks disturb the
restart, a ghost member keeps the partitions until its session times out.
"""

import asyncio

from killpoint.faults.settle import wait_gone
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch


async def bury(stage: Stage, watch: Watch, replica: int | None = None) -> tuple[str, ...]:
    """Close its connections, wait for its backends to end, remove its members.

    Or those of one replica, which has died alone. Returns what was still alive after the limit, in
    words.
    """
    backends = watch.backends_of(replica)
    await stage.close_connections(replica)
    pids, limit = list(backends.values()), stage.patience.gone_seconds
    ghosts, _ = await asyncio.gather(
        wait_gone(stage.database, pids, limit), _remove_members(stage, watch, replica)
    )
    for connection in backends:
        watch.backends.pop(connection, None)
    return ghosts


async def clear(stage: Stage, watch: Watch) -> None:
    """The same at the end of a run, where nothing comes that a ghost could disturb.

    Its backends end when their database is dropped.
    """
    await stage.close_connections()
    await _remove_members(stage, watch, None)


async def _remove_members(stage: Stage, watch: Watch, replica: int | None) -> None:
    life = watch.progress.life
    members = life.members_of(replica)
    unnamed = {(group, by) for group, by in life.unnamed if replica in (None, by)}
    for key in members:
        life.members.pop(key, None)
    life.unnamed -= unnamed
    for group in {group for group, _ in unnamed}:
        # Whoever waits in it without an id came from the dead: nobody else does, and others that
        # live on are known, unless they have no id either. Then the session's end is waited for.
        if all(other != group for other, _ in life.unnamed):
            waiting = await stage.broker.members(group)
            members |= {(group, one.member): one for one in waiting}
    for key in life.members:
        members.pop(key, None)
    for member in members.values():
        # A static member's place is kept for its return (KIP-345): removing it would be a leave.
        if member.instance is None:
            await stage.broker.remove_member(member)
