"""What runs have left in an engine: containers, networks and volumes with killpoint's label.

Counterparts: `docker_run` removes what is its own and what dead runs left; `killpoint down` calls
it by itself. What has no label of killpoint's is never looked at.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from killpoint.compose.docker_client import Client
from killpoint.compose.docker_engine import CONFLICT, NOT_FOUND, Engine, EngineRefused
from killpoint.compose.docker_labels import RUN

Labels = Mapping[str, str]
Chosen = Callable[[Labels], bool]


@dataclass(frozen=True, slots=True)
class Thing:
    """One object of the engine: `kind` is container, network or volume."""

    kind: str
    id: str
    name: str
    labels: Labels


async def remains(engine: Engine, label: str = RUN) -> list[Thing]:
    """Everything that carries a label (`name` or `name=value`), containers first."""
    return await engine.ask("list what it holds", lambda client: _listed(client, label))


async def remove(engine: Engine, chosen: Chosen, label: str = RUN) -> list[Thing]:
    """Remove what carries the label and is chosen by its labels; returns it. Raises EngineRefused.

    Containers go first, with their anonymous volumes, since networks are in use while they live.
    """
    gone = [thing for thing in await remains(engine, label) if chosen(thing.labels)]
    for kind in _REMOVALS:
        await asyncio.gather(*(_remove(engine, thing) for thing in gone if thing.kind == kind))
    return gone


async def _remove(engine: Engine, thing: Thing) -> None:
    """One that is gone already, or is just being removed, is no error."""
    try:
        await engine.ask(f"remove the {thing.kind} {thing.name}", _REMOVALS[thing.kind](thing.id))
    except EngineRefused as error:
        removing = error.status == CONFLICT and "already in progress" in error.reason
        if error.status != NOT_FOUND and not removing:
            raise


def _container(id: str) -> Callable[[Client], None]:
    return lambda client: client.remove_container(id, v=True, force=True)


def _network(id: str) -> Callable[[Client], None]:
    return lambda client: client.remove_network(id)


def _volume(id: str) -> Callable[[Client], None]:
    return lambda client: client.remove_volume(id, force=True)


_REMOVALS = {"container": _container, "network": _network, "volume": _volume}


def _listed(client: Client, label: str) -> list[Thing]:
    filters = {"label": [label]}
    containers = [
        Thing("container", c["Id"], _first_name(c["Names"], c["Id"]), c["Labels"] or {})
        for c in client.containers(all=True, filters=filters)
    ]
    networks = [
        Thing("network", n["Id"], n["Name"], n["Labels"] or {})
        for n in client.networks(filters=filters)
    ]
    volumes = [
        Thing("volume", v["Name"], v["Name"], v["Labels"] or {})
        for v in client.volumes(filters=filters).get("Volumes") or ()
    ]
    return [*containers, *networks, *volumes]


def _first_name(names: list[str] | None, otherwise: str) -> str:
    return names[0].removeprefix("/") if names else otherwise[:12]
