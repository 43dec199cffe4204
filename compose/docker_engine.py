"""The Docker engine: what killpoint asks of it, for asyncio, with errors in a user's words.

Counterparts: `docker_client` reaches it; `docker_container`, `docker_image` and `docker_network`
say what is asked. No call is given up half-way: what it makes could not be found again.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from docker.errors import APIError, DockerException
from requests.exceptions import RequestException

from killpoint.compose.docker_client import Client, Json, connect
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.to_the_end import to_the_end

T = TypeVar("T")

NOT_FOUND, CONFLICT, FAILED = 404, 409, 500
DESKTOP = "Docker Desktop"


class EngineRefused(EnvironmentFailed):
    """The engine did not do what it was asked; `status` is HTTP's, 0 if it did not answer."""

    def __init__(self, message: str, status: int, reason: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


class Engine:
    """One engine. Everything raises EngineRefused."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @classmethod
    async def connected(cls) -> "Engine":
        """The engine of this machine. Raises EngineMissing."""
        return cls(await asyncio.to_thread(connect))

    async def ask(self, what: str, call: Callable[[Client], T]) -> T:
        """Make one call in a thread; `what` says in words what could not be done."""
        return await to_the_end(asyncio.to_thread(_translated, what, call, self._client))

    async def stream(self, what: str, call: Callable[[Client], Iterator[Json]]) -> list[Json]:
        """Read an answer of many parts to its end."""
        return await self.ask(what, lambda client: list(call(client)))

    async def version(self) -> str:
        """The engine's version."""
        return str((await self.ask("tell its version", lambda c: c.version())).get("Version", "?"))

    async def is_desktop(self) -> bool:
        """Whether it runs in a machine of its own, whose networks this one cannot listen on."""
        info = await self.ask("describe itself", lambda c: c.info())
        return bool(DESKTOP in str(info.get("OperatingSystem", "")))

    async def inspect(self, container: str) -> Json:
        """All that is known of a container."""
        return await self.ask("describe a container", lambda c: c.inspect_container(container))

    def waiting(self, container: str) -> "asyncio.Future[int]":
        """A container's exit code, once it has ended; the container must have been started.

        In a thread of its own, since it may take as long as the container lives.
        """
        loop = asyncio.get_running_loop()
        found: asyncio.Future[int] = loop.create_future()

        def settle(code: int | BaseException) -> None:
            if found.done():
                return
            if isinstance(code, BaseException):
                found.set_exception(code)
                found.exception()  # who no longer waits need not be told
            else:
                found.set_result(code)

        def wait() -> None:
            try:
                code: int | BaseException = _translated(
                    "wait for a container", lambda c: _exit_code(c, container), self._client
                )
            except EnvironmentFailed as error:
                code = error
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(settle, code)

        threading.Thread(target=wait, daemon=True, name="killpoint-wait").start()
        return found

    async def close(self) -> None:
        """Close the connections to it."""
        await asyncio.to_thread(self._client.close)


def _exit_code(client: Client, container: str) -> int:
    return int(client.wait(container, timeout=None)["StatusCode"])


def _translated(what: str, call: Callable[[Client], T], client: Client) -> T:
    try:
        return call(client)
    except APIError as error:
        reason = _reason(error)
        raise EngineRefused(
            f"Docker could not {what}: {reason}", int(error.status_code or 0), reason
        ) from error
    except (DockerException, RequestException, OSError) as error:
        raise EngineRefused(
            f"Docker could not {what}: the engine does not answer ({error}). Start Docker again.",
            0,
            str(error),
        ) from error


def _reason(error: Any) -> str:
    """What the engine said, without the address of the call."""
    return str(error.explanation or error).strip()
