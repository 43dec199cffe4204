"""What the target holds past killpoint: connections to other systems, files open for writing.

Nothing of it is audited, stopped at or restored, so a claim can only assume that it does not
matter. The result names it.
"""

from typing import Final

from killpoint.faults.stage import Stage

OPEN_FILE: Final = "the open file "
"""How the words for a file begin."""


async def past_killpoint(stage: Stage) -> list[str]:
    """The remote ends of connections that do not lead to a proxy, in words."""
    through = set[tuple[str, int]]().union(*(proxy.addresses for proxy in stage.proxies))
    found = {
        f"{address.host}:{address.port}"
        + (" (directly)" if (address.host, address.port) in stage.direct_addresses else "")
        for address in await stage.target.sockets()
        if (address.host, address.port) not in through | stage.own_addresses
    }
    return sorted(found)


async def unseen_by(stage: Stage) -> tuple[str, ...]:
    """Everything of the target's that killpoint does not see, in words."""
    connections = [f"a connection to {where}" for where in await past_killpoint(stage)]
    services = [f"not watched: {name}" for name in stage.unwatched]
    files = [f"{OPEN_FILE}{path}" for path in sorted(await stage.target.files())]
    return (*services, *connections, *files)
