"""A Docker engine in memory, for what does not need containers that run.

Counterpart: `compose/docker_client.py` says what is asked of one. Only what its tests need answers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast

from docker.errors import APIError
from requests import Response

from killpoint.compose.docker_client import Client, Filters, Json


def refused(status: int, explanation: str) -> Exception:
    """What the SDK raises for an answer of the engine."""
    response = Response()
    response.status_code = status
    return cast(Exception, APIError("refused", response=response, explanation=explanation))


@dataclass
class FakeClient:
    """Holds images and things; `calls` says what was asked of it, in order.

    `states` are what a container is said to be in, look by look; the last one stays.
    """

    images_there: set[str] = field(default_factory=set[str])
    things: dict[str, tuple[str, Mapping[str, str]]] = field(
        default_factory=dict[str, tuple[str, Mapping[str, str]]]
    )
    pulling: list[Json] = field(default_factory=list[Json])
    network: Json = field(default_factory=Json)
    states: list[Json] = field(default_factory=list[Json])
    system: str = "Debian"
    calls: list[str] = field(default_factory=list[str])
    fails: Mapping[str, Exception] = field(default_factory=dict[str, Exception])

    @property
    def client(self) -> Client:
        """Itself, as what asks it knows it."""
        return cast(Client, self)

    def info(self) -> Json:
        return {"OperatingSystem": self.system}

    def version(self) -> Json:
        return {"Version": "27.3.1"}

    def inspect_image(self, image: str) -> Json:
        if image not in self.images_there:
            raise refused(HTTPStatus.NOT_FOUND, f"No such image: {image}")
        return {}

    def pull(self, repository: str, *, stream: bool, decode: bool) -> Iterator[Json]:
        self._call(f"pull {repository}")
        self.images_there.add(repository)
        yield from self.pulling

    def create_network(self, name: str, *, driver: str, labels: Mapping[str, str]) -> Json:
        self.things[name] = ("network", labels)
        return {"Id": name}

    def inspect_network(self, net_id: str) -> Json:
        return self.network

    def pause(self, container: str) -> None:
        self._call(f"pause {container}")

    def unpause(self, container: str) -> None:
        self._call(f"unpause {container}")

    def kill(self, container: str, signal: str) -> None:
        self._call(f"signal {container} {signal}")

    def inspect_container(self, container: str) -> Json:
        self._call(f"inspect {container}")
        return {"State": self.states.pop(0) if len(self.states) > 1 else self.states[0]}

    def containers(self, *, all: bool, filters: Filters) -> list[Json]:
        return [{"Id": i, "Names": [f"/{i}"], "Labels": d} for i, d in self._of("container")]

    def networks(self, *, filters: Filters) -> list[Json]:
        return [{"Id": i, "Name": i, "Labels": d} for i, d in self._of("network")]

    def volumes(self, *, filters: Filters) -> Json:
        return {"Volumes": [{"Name": i, "Labels": d} for i, d in self._of("volume")] or None}

    def remove_container(self, container: str, *, v: bool, force: bool) -> None:
        self._remove(container)

    def remove_network(self, net_id: str) -> None:
        self._remove(net_id)

    def remove_volume(self, name: str, *, force: bool) -> None:
        self._remove(name)

    def close(self) -> None:
        self.calls.append("close")

    def _of(self, kind: str) -> list[tuple[str, Mapping[str, str]]]:
        return [(id, labels) for id, (known, labels) in self.things.items() if known == kind]

    def _remove(self, id: str) -> None:
        self._call(f"remove {id}")
        del self.things[id]

    def _call(self, what: str) -> None:
        self.calls.append(what)
        if what in self.fails:
            raise self.fails[what]
