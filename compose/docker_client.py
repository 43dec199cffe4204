"""The Docker SDK's client: how it is reached, and the part of its API that is used, with types.

Counterpart: `docker_engine` calls it and gives its errors words. The SDK has no types of its own,
so what it returns ends here as plain data (the Engine API's JSON).
"""

import os
import socket
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, cast

from docker.api import APIClient
from docker.context import ContextAPI
from docker.errors import DockerException
from docker.utils import kwargs_from_env

from killpoint.faults.environment import EnvironmentFailed

Json = dict[str, Any]
Filters = Mapping[str, str | list[str]]

_SECONDS = 120
_INSTEAD = "or use --stack embedded and a [target] command, which need no Docker"


class EngineMissing(EnvironmentFailed):
    """No Docker engine can be used here: why, and what to do; `short` is why in few words."""

    def __init__(self, message: str, short: str) -> None:
        super().__init__(message)
        self.short = short


class Client(Protocol):
    """The calls of the SDK's low-level client; each blocks."""

    def version(self) -> Json: ...
    def info(self) -> Json: ...
    def inspect_image(self, image: str) -> Json: ...
    def images(self) -> list[Json]: ...
    def inspect_distribution(self, image: str) -> Json: ...
    def pull(self, repository: str, *, stream: bool, decode: bool) -> Iterator[Json]: ...
    def create_container_from_config(self, config: Json, name: str) -> Json: ...
    def start(self, container: str) -> None: ...
    def inspect_container(self, container: str) -> Json: ...
    def logs(self, container: str, *, tail: int | str = "all") -> bytes: ...
    def pause(self, container: str) -> None: ...
    def unpause(self, container: str) -> None: ...
    def kill(self, container: str, signal: str) -> None: ...
    def wait(self, container: str, *, timeout: float | None) -> Json: ...
    def remove_container(self, container: str, *, v: bool, force: bool) -> None: ...
    def containers(self, *, all: bool, filters: Filters) -> list[Json]: ...
    def create_network(self, name: str, *, driver: str, labels: Mapping[str, str]) -> Json: ...
    def inspect_network(self, net_id: str) -> Json: ...
    def remove_network(self, net_id: str) -> None: ...
    def networks(self, *, filters: Filters) -> list[Json]: ...
    def volumes(self, *, filters: Filters) -> Json: ...
    def remove_volume(self, name: str, *, force: bool) -> None: ...
    def close(self) -> None: ...


def connect(seconds: int = _SECONDS) -> Client:
    """A client of the engine that DOCKER_HOST or the current context names.

    `seconds` is the limit of each call. Raises EngineMissing. Blocks some 20 ms.
    """
    where = _endpoint()
    _try_socket(where.get("base_url") or "")
    try:
        return cast(Client, APIClient(version="auto", timeout=seconds, **where))
    except DockerException as error:
        raise _no_answer(where.get("base_url") or "", str(error)) from error


def _endpoint() -> dict[str, Any]:
    """The address of the engine and its certificates, as the `docker` command finds them."""
    if os.environ.get("DOCKER_HOST"):
        return dict(kwargs_from_env())
    try:
        context = ContextAPI.get_current_context()
    except DockerException as error:
        raise EngineMissing(
            f"the current Docker context cannot be used: {error}. Choose another one: "
            f"docker context ls, {_INSTEAD}.",
            "the current Docker context cannot be used",
        ) from error
    return {"base_url": context.Host, "tls": context.TLSConfig or False}


def _try_socket(address: str) -> None:
    """Where the engine has a Unix socket, the system says best why it cannot be used."""
    scheme, _, path = address.partition("://")
    if "unix" not in scheme:
        return
    path = "/" + path.lstrip("/")
    try:
        with socket.socket(socket.AF_UNIX) as there:
            there.connect(path)
    except PermissionError as error:
        raise EngineMissing(
            f"this user may not use the Docker engine's socket {path}. Add the user to the "
            "socket's group (sudo usermod -aG docker $USER, then log in again), run as root, "
            f"{_INSTEAD}.",
            "this user may not use Docker's socket",
        ) from error
    except OSError as error:
        raise _no_answer(address, error.strerror or str(error)) from error


def _no_answer(address: str, reason: str) -> EngineMissing:
    return EngineMissing(
        f"no Docker engine answers at {address} ({reason}). Start Docker, set DOCKER_HOST, "
        f"{_INSTEAD}.",
        "no Docker engine answers",
    )
