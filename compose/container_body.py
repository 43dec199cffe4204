"""What a container like another is made of, but for its folders, volumes and table of hosts. Pure.

Counterparts: `docker_container.body_of` reads such a body from the engine, `compose_house` changes
it for each scenario and replica.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]


def with_binds(body: Json, volumes: Sequence[str]) -> Json:
    """The body bound to more of this machine's folders."""
    host: Json = body["HostConfig"]
    return {**body, "HostConfig": {**host, "Binds": [*(host.get("Binds") or []), *volumes]}}


def led_to(body: Json, names: Sequence[str], entry: str) -> Json:
    """The body whose own table of hosts has another entry for these names."""
    host: Json = body["HostConfig"]
    own: list[str] = host.get("ExtraHosts") or []
    kept = [text for text in own if text.partition(":")[0] not in names]
    led = [f"{name}:{entry}" for name in names]
    return {**body, "HostConfig": {**host, "ExtraHosts": [*kept, *led]}}


def volumes_of(body: Json) -> list[str]:
    """The volumes with a name that a container is bound to."""
    binds: list[str] = body["HostConfig"].get("Binds") or []
    return [bind.partition(":")[0] for bind in binds if not bind.startswith("/")]


def with_volumes(body: Json, named: Mapping[str, str], labels: Mapping[str, str]) -> Json:
    """The body with other volumes in the place of those with a name; the engine makes them."""
    host: Json = body["HostConfig"]
    binds: list[str] = host.get("Binds") or []
    mounts = [
        {
            "Type": "volume",
            "Source": named[source],
            "Target": where,
            "ReadOnly": "ro" in options.split(","),
            "VolumeOptions": {"Labels": dict(labels)},
        }
        for source, where, options in (_parts(bind) for bind in binds)
        if source in named
    ]
    kept = [bind for bind in binds if bind.partition(":")[0] not in named]
    whole: list[Any] = [*(host.get("Mounts") or []), *mounts]
    return {**body, "HostConfig": {**host, "Binds": kept, "Mounts": whole}}


def _parts(bind: str) -> tuple[str, str, str]:
    source, where, *options = bind.split(":")
    return source, where, options[0] if options else ""
