"""Freeze, thaw and signal a container, when the engine's knowledge of it may lag behind.

Counterparts: `container_target` asks; `docker_engine` carries it. An engine that signals a paused
container lets it go on by itself, and learns of that, as of every exit, a moment later. Meanwhile
it passes on a refusal of the runtime ("cannot resume a running process"). So what counts is not the
words of a refusal but whether the container comes to be as it was wished, or ends. On a busy
machine a freeze takes more than one try: runc gives up when a process was not scheduled in time
("unable to freeze", libcontainer/cgroups/fs/freezer.go), and thaws what it had frozen.
"""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final

from killpoint.compose.docker_client import Client, Json
from killpoint.compose.docker_engine import CONFLICT, FAILED, NOT_FOUND, Engine, EngineRefused

_LIMIT_SECONDS, _REST_SECONDS = 30.0, 0.02
_ABOUT_THE_STATE: Final = (NOT_FOUND, CONFLICT, FAILED)
"""Engines up to 20.10 say 500 where later ones say 409."""


async def freeze(engine: Engine, id: str) -> None:
    """Freeze every process of a container; one that has ended is left as it is.

    Raises EngineRefused, as the other two do.
    """
    await _asked(engine, id, "freeze the target", lambda c: c.pause(id), _is_paused)


async def thaw(engine: Engine, id: str) -> None:
    """Let a container go on, if it does not already; the engine then knows that it does."""
    await _asked(engine, id, "thaw the target", lambda c: c.unpause(id), _goes_on)


async def send_signal(engine: Engine, id: str, name: str) -> None:
    """Send a signal, such as SIGTERM, to the main process, unless the container has ended."""
    await _asked(engine, id, "signal the target", lambda c: c.kill(id, name), _never)


def _is_paused(state: Json) -> bool:
    return bool(state["Paused"])


def _goes_on(state: Json) -> bool:
    return not state["Paused"]


def _never(_: Json) -> bool:
    return False


async def _asked(
    engine: Engine,
    id: str,
    what: str,
    call: Callable[[Client], None],
    wished: Callable[[Json], bool],
) -> None:
    """Ask, and again while the container neither ends nor comes to be as wished."""
    deadline = monotonic() + _LIMIT_SECONDS
    while True:
        try:
            await engine.ask(what, call)
            return
        except EngineRefused as refusal:
            if refusal.status not in _ABOUT_THE_STATE:
                raise
            if await _is_so(engine, id, wished):
                return
            if monotonic() >= deadline:
                raise
        await asyncio.sleep(_REST_SECONDS)


async def _is_so(engine: Engine, id: str, wished: Callable[[Json], bool]) -> bool:
    """Whether the container is as wished, or has ended, or is gone."""
    try:
        state: Json = (await engine.inspect(id))["State"]
    except EngineRefused as error:
        if error.status == NOT_FOUND:
            return True
        raise
    return not state["Running"] or wished(state)
