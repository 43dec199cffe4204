"""The broker's configuration: one KRaft node on the loopback, as text.

Where nothing else is said the broker's own defaults hold, as in production: topics are made when
first named, retention, message sizes and transaction time-outs are those of Apache Kafka. What is
set below is what one node needs, what makes it start and rebalance fast, and nothing that changes
what a committed offset or a committed transaction means.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from killpoint.compose.ports import LOOPBACK
from killpoint.faults.environment import Address

NODE: Final = 1
_CONTROLLER: Final = "CONTROLLER"
_DIRECT: Final = "DIRECT"

_ONE_NODE: Final = {
    "process.roles": "broker,controller",
    "node.id": str(NODE),
    "inter.broker.listener.name": _DIRECT,
    "controller.listener.names": _CONTROLLER,
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
}
_FAST: Final = {
    # A group is balanced when its member is there, not when others might have come.
    "group.initial.rebalance.delay.ms": "0",
    "group.consumer.assignment.interval.ms": "0",
    # Targets may ask for short sessions; what they get by default is unchanged.
    "group.min.session.timeout.ms": "100",
    "group.consumer.min.session.timeout.ms": "100",
    "group.consumer.min.heartbeat.interval.ms": "50",
    # Changes of metadata (new topics) are written at once instead of being gathered.
    "controller.quorum.append.linger.ms": "0",
    # Small: few clients, and 256 MiB of heap.
    "num.network.threads": "1",
    "num.io.threads": "4",
    "background.threads": "2",
    "num.recovery.threads.per.data.dir": "1",
    "log.cleaner.dedupe.buffer.size": "4194304",
}


@dataclass(frozen=True, slots=True)
class BrokerPorts:
    """The ports of the loopback that a broker binds: `lanes` are in order."""

    controller: int
    direct: int
    lanes: tuple[int, ...] = ()

    @classmethod
    def of(cls, numbers: Sequence[int]) -> "BrokerPorts":
        """From at least two numbers."""
        controller, direct, *lanes = numbers
        return cls(controller, direct, tuple(lanes))


def broker_properties(
    data: Path,
    ports: BrokerPorts,
    advertised: Sequence[Address],
    token: str,
    host: str = LOOPBACK,
) -> dict[str, str]:
    """The configuration of a broker over the folder `data`, bound to `host` for its clients.

    `advertised` has the address that clients of each lane are told: its proxy's. `token` is what
    the broker calls its rack, by which the one that answers is known to be the one started.
    """
    bound = {_CONTROLLER: ports.controller, _DIRECT: ports.direct}
    told = {_DIRECT: Address(LOOPBACK, ports.direct)}
    for number, (port, proxy) in enumerate(zip(ports.lanes, advertised, strict=True)):
        bound[f"LANE{number}"] = port
        told[f"LANE{number}"] = proxy
    return {
        **_ONE_NODE,
        **_FAST,
        "log.dirs": str(data),
        "broker.rack": token,
        "controller.quorum.voters": f"{NODE}@{LOOPBACK}:{ports.controller}",
        "listeners": _list(
            f"{name}://{LOOPBACK if name == _CONTROLLER else host}:{port}"
            for name, port in bound.items()
        ),
        "advertised.listeners": _list(f"{name}://{to.host}:{to.port}" for name, to in told.items()),
        "listener.security.protocol.map": _list(f"{name}:PLAINTEXT" for name in bound),
    }


def settings_for(replicas: int) -> dict[str, str]:
    """What a broker is told beyond that, for targets of so many instances.

    Several start at once, so a group waits for the others as by the broker's default: else the
    first would do all the work before the second is let in.
    """
    return {"group.initial.rebalance.delay.ms": "3000"} if replicas > 1 else {}


def properties_text(properties: Mapping[str, str]) -> str:
    """As a Java properties file; a backslash is its escape character."""
    lines = (f"{name}={value}".replace("\\", "\\\\") for name, value in properties.items())
    return "\n".join(lines) + "\n"


def settings_text() -> str:
    """What is the same in every broker: a change of it makes prepared folders stale."""
    return properties_text({**_ONE_NODE, **_FAST})


def _list(items: Iterable[str]) -> str:
    return ",".join(items)
