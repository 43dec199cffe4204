"""Containers: what one is made of, in the Engine API's words, and its start.

Counterparts: `docker_server` starts servers, `container_target` targets. No container is ever
started again by the engine itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from killpoint.compose.docker_client import Json
from killpoint.compose.docker_engine import Engine
from killpoint.compose.ports import LOOPBACK

BRIDGE: Final = "bridge"
_HELD: Final[Json] = {
    "RestartPolicy": {"Name": "no"},
    # The one that the engine can always be asked for, whatever its default is.
    "LogConfig": {"Type": "json-file", "Config": {}},
}


@dataclass(frozen=True, slots=True)
class Container:
    """What a container is made of.

    `command` empty: the image's own. `ports` are published on the loopback under the same numbers.
    `volumes` as in `docker run --volume`; `memory` in bytes, swap included; `in_memory` are folders
    without a disk behind them. `body`: made like another container (`body_of`), whose networks,
    volumes and limits hold; command and environment go over its own.
    """

    image: str
    labels: Mapping[str, str]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    command: tuple[str, ...] = ()
    network: str = BRIDGE
    ports: tuple[int, ...] = ()
    volumes: tuple[str, ...] = ()
    in_memory: tuple[str, ...] = ()
    user: str | None = None
    memory: int | None = None
    body: Json | None = None

    def config(self) -> Json:
        """The body of the Engine API's call ContainerCreate."""
        if self.body is not None:
            return self._like(self.body)
        config: Json = {
            "Image": self.image,
            "Labels": dict(self.labels),
            "Env": [f"{name}={value}" for name, value in self.environment.items()],
            "ExposedPorts": {f"{port}/tcp": {} for port in self.ports},
            "HostConfig": self._host_config(),
        }
        if self.command:
            config["Cmd"] = list(self.command)
        if self.user is not None:
            config["User"] = self.user
        return config

    def _like(self, body: Json) -> Json:
        over = {f"{name}={value}" for name, value in self.environment.items()}
        kept = [text for text in body["Env"] if text.partition("=")[0] not in self.environment]
        command = list(self.command) or body.get("Cmd")
        return {**body, "Env": [*kept, *sorted(over)], "Cmd": command}

    def _host_config(self) -> Json:
        return {
            "NetworkMode": self.network,
            "PortBindings": {
                f"{port}/tcp": [{"HostIp": LOOPBACK, "HostPort": str(port)}] for port in self.ports
            },
            "Binds": list(self.volumes),
            "Tmpfs": dict.fromkeys(self.in_memory, ""),
            "Memory": self.memory or 0,
            "MemorySwap": self.memory or 0,
            **_HELD,
        }


async def create(engine: Engine, container: Container, name: str) -> str:
    """Make a container; returns its id. Raises EngineRefused."""
    made = await engine.ask(
        f"make a container of {container.image}",
        lambda client: client.create_container_from_config(container.config(), name),
    )
    return str(made["Id"])


async def start(engine: Engine, id: str) -> None:
    """Start a container that was made, or start it again. Raises EngineRefused."""
    await engine.ask("start a container", lambda client: client.start(id))


async def log_of(engine: Engine, id: str, lines: int | str = "all") -> bytes:
    """What a container has written to both outputs, at most its last `lines`."""
    return await engine.ask("give the log of a container", lambda c: c.logs(id, tail=lines))


def body_of(found: Json) -> Json:
    """What another container like this one is made from (`Container.body`).

    `found` is the engine's description. The other one is not Compose's, and has no health check:
    that would start processes beside the main one.
    """
    config: Json = {key: value for key, value in found["Config"].items() if value is not None}
    if found["Id"].startswith(config.get("Hostname") or "?"):
        del config["Hostname"]  # the engine's own choice, made from the id
    networks: dict[str, Json] = found["NetworkSettings"]["Networks"]
    return {
        **config,
        "Env": config.get("Env", []),
        "Labels": {
            name: text
            for name, text in config.get("Labels", {}).items()
            if not name.startswith("com.docker.compose.")
        },
        "Healthcheck": {"Test": ["NONE"]},
        "HostConfig": {**found["HostConfig"], **_HELD, "AutoRemove": False},
        "NetworkingConfig": {
            "EndpointsConfig": {
                name: {"Aliases": _chosen(one.get("Aliases"), found["Id"])}
                for name, one in networks.items()
                if name != BRIDGE
            }
        },
    }


def _chosen(aliases: list[str] | None, id: str) -> list[str]:
    """Aliases without the one that the engine adds, the beginning of the id."""
    return [alias for alias in aliases or () if not id.startswith(alias)]
