"""The run's compose project, made of the user's resolved file: what is left out, and what is added.

Pure: JSON in, JSON out. Counterparts: `compose_edges` says which names lead to the proxies,
`compose_project` hands the outcome to Compose. Nothing in it can collide with the user's own stack.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from killpoint.compose.compose_file import ComposeFile

Json = dict[str, Any]

_LEFT_OUT: Final = (
    *("ports", "container_name", "restart", "profiles", "scale", "logging", "mac_address"),
    *("networks", "network_mode", "links", "external_links", "depends_on", "extra_hosts"),
)
"""What belongs to a deployment, or names what is not in the run."""
OUTSIDE: Final = "killpoint-services"
TARGETS: Final = "killpoint-targets"


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The networks of a run and where the names of Kafka and Postgres lead on each.

    `targets` and `outside` are networks that exist; `at_targets` and `at_outside` are what names
    lead to, as `extra_hosts` takes it. Services beside the target are on both, so that it reaches
    them; what they say to Kafka and Postgres goes past the proxies.
    """

    targets: str
    outside: str
    at_targets: str
    at_outside: str
    names: tuple[str, ...]


def rewritten(
    file: ComposeFile,
    target: str,
    beside: Sequence[str],
    fresh: Collection[str],
    place: Neighbourhood,
    labels: Mapping[str, str],
) -> Json:
    """The project of a run: the target and the services beside it, without Kafka and Postgres.

    `fresh` are those that are made anew for each scenario: a volume of theirs alone has no name.
    """
    kept = [target, *beside]
    made: Json = {key: file.resolved[key] for key in ("secrets", "configs") if key in file.resolved}
    made["name"] = "killpoint"
    made["services"] = {
        name: _service(file, name, kept, labels)
        | _way(file, name, place, target=name == target)
        | _volumes(file, name, kept, alone=name in fresh)
        for name in kept
    }
    made["networks"] = {
        TARGETS: {"name": place.targets, "external": True},
        OUTSIDE: {"name": place.outside, "external": True},
    }
    made["volumes"] = own_volumes(file, labels)
    return made


def rewritten_server(file: ComposeFile, service: str, labels: Mapping[str, str]) -> Json:
    """A project of one server, on the engine's own network."""
    return {
        "name": "killpoint",
        **{key: file.resolved[key] for key in ("secrets", "configs") if key in file.resolved},
        "services": {
            service: {
                **_service(file, service, [service], labels),
                "network_mode": "bridge",
                "extra_hosts": file.services[service].get("extra_hosts") or [],
            }
        },
        "volumes": own_volumes(file, labels),
    }


def own_volumes(file: ComposeFile, labels: Mapping[str, str]) -> Json:
    """The file's volumes as the run's own, empty ones: none of the user's data is in them."""
    volumes: Mapping[str, Json | None] = file.resolved.get("volumes") or {}
    kept = ("driver", "driver_opts")
    return {
        name: {
            **{
                key: volume[key]
                for key in kept
                if volume and key in volume and not volume.get("external")
            },
            "labels": dict(labels),
        }
        for name, volume in volumes.items()
    }


def image_of(file: ComposeFile, service: str) -> str:
    """The name of the image that is built for a service: always the same, never the user's."""
    where = sha256(f"{file.path}:{service}".encode()).hexdigest()[:12]
    return f"killpoint-target-{where}"


def _service(
    file: ComposeFile, name: str, kept: Collection[str], labels: Mapping[str, str]
) -> Json:
    found = file.services[name]
    made = {key: value for key, value in found.items() if key not in _LEFT_OUT}
    needs: Mapping[str, Json] = found.get("depends_on") or {}
    if remaining := {other: how for other, how in needs.items() if other in kept}:
        made["depends_on"] = remaining
    if "build" in found:
        made["image"] = image_of(file, name)
    deploy: Json = found.get("deploy") or {}
    if resources := deploy.get("resources"):
        made["deploy"] = {"resources": resources}
    else:
        made.pop("deploy", None)
    made["labels"] = {**(found.get("labels") or {}), **labels}
    return made


def _way(file: ComposeFile, name: str, place: Neighbourhood, *, target: bool) -> Json:
    networks: Json = {TARGETS: {"aliases": file.names_of(name)}}
    if not target:
        networks[OUTSIDE] = {}
    where = place.at_targets if target else place.at_outside
    own: list[str] = file.services[name].get("extra_hosts") or []
    hosts = [text for text in own if text.partition("=")[0] not in place.names]
    return {
        "networks": networks,
        "extra_hosts": [*hosts, *(f"{other}={where}" for other in place.names)],
    }


def _volumes(file: ComposeFile, name: str, kept: Sequence[str], *, alone: bool) -> Json:
    volumes: Sequence[Json] = file.services[name].get("volumes") or ()
    if not volumes:
        return {}
    others = {
        volume.get("source")
        for other in kept
        if other != name
        for volume in file.services[other].get("volumes") or ()
    }
    return {
        "volumes": [
            _nameless(volume) if alone and _is_named(volume, others) else volume
            for volume in volumes
        ]
    }


def _is_named(volume: Json, others: Collection[object]) -> bool:
    return volume.get("type") == "volume" and volume.get("source") not in others


def _nameless(volume: Json) -> Json:
    return {key: value for key, value in volume.items() if key != "source"}
