"""The network of a run's targets: no server stands on it, so nothing gets past the proxies.

Counterparts: `container_target` puts containers on it, the session's stack listens on its gateway.
A container finds the proxies at the gateway's address, which is the host on Linux; Docker Desktop
has its engine in a machine of its own and a name for this one (not tried).
"""

import errno
from dataclasses import dataclass
from typing import Final

from killpoint.compose.docker_client import Json
from killpoint.compose.docker_run import DockerRun
from killpoint.compose.ports import LOOPBACK
from killpoint.faults.environment import Address, EnvironmentFailed

_DESKTOP_NAME: Final = "host.docker.internal"


@dataclass(frozen=True, slots=True)
class TargetNetwork:
    """`host` is where proxies listen on this machine, `named` how containers reach that.

    `entry` is what a name leads there by, in a container's own table of hosts.
    """

    name: str
    host: str
    named: str

    @property
    def entry(self) -> str:
        return self.named if self.has_gateway else "host-gateway"

    @property
    def has_gateway(self) -> bool:
        """Whether this machine has an address of its own on it, which no other network has."""
        return self.named != _DESKTOP_NAME


async def target_networks(run: DockerRun, replicas: int) -> list[TargetNetwork]:
    """The network of the targets, then one more for each further replica, for its gateway alone.

    All stand on the first: this machine answers at every gateway. One alone, whatever the replicas,
    where this machine has no address on them. Raises EngineRefused or EnvironmentFailed.
    """
    made = [await target_network(run)]
    if made[0].has_gateway:
        made += [await target_network(run, f"replica-{n}") for n in range(2, replicas + 1)]
    return made


async def target_network(run: DockerRun, what: str = "targets") -> TargetNetwork:
    """Make the network. Raises EngineRefused or EnvironmentFailed."""
    name = run.name(what)
    await run.engine.ask(
        f"make the network {name}",
        lambda client: client.create_network(name, driver="bridge", labels=run.labels),
    )
    if await run.engine.is_desktop():
        return TargetNetwork(name, LOOPBACK, _DESKTOP_NAME)
    found = await run.engine.ask(f"describe {name}", lambda client: client.inspect_network(name))
    gateway = gateway_of(found)
    if gateway is None:
        raise EnvironmentFailed(
            f"the network {name} has no IPv4 gateway, so containers cannot reach killpoint. Allow "
            "IPv4 networks in the Docker engine, or run the target as a command on this machine."
        )
    return TargetNetwork(name, gateway, gateway)


def gateway_of(network: Json) -> str | None:
    """The IPv4 gateway in what the engine says of a network."""
    entries: list[dict[str, str]] = network.get("IPAM", {}).get("Config") or []
    gateways = (entry.get("Gateway", "").partition("/")[0] for entry in entries)
    return next((gateway for gateway in gateways if "." in gateway), None)


def cannot_listen(where: Address, error: OSError) -> EnvironmentFailed:
    """Why containers could not be answered there, in a user's words; port 0 stands for any."""
    if error.errno == errno.EADDRINUSE:
        return EnvironmentFailed(
            f"killpoint cannot listen on {where}, where the target looks for its servers: another "
            f"program has the port {where.port} on every address of this machine, such as a stack "
            "of yours that publishes it. Stop that one, or let it publish the port on the loopback "
            f'alone: "127.0.0.1:{where.port}:{where.port}".'
        )
    return EnvironmentFailed(
        f"killpoint cannot listen on {where.host}, where containers look for it: "
        f"{error.strerror or error}. Run it on the machine of the Docker engine, not in a "
        "container (or with that one's network: docker run --network host)."
    )
