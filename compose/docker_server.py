"""A server in a container: started, ready by what it answers, its log shown when it is not.

Counterpart: `docker_kafka` and `docker_postgres` say what is started and when it is ready.
"""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final, TypeVar

from killpoint.compose.docker_container import Container, create, log_of, start
from killpoint.compose.docker_engine import EngineRefused
from killpoint.compose.docker_labels import RUN
from killpoint.compose.docker_remains import remains
from killpoint.compose.docker_run import DockerRun
from killpoint.faults.environment import EnvironmentFailed

Told = TypeVar("Told")

_LINES, _LOOK_LINES = 15, 200
_LIMIT: Final = 120.0


async def start_server(
    run: DockerRun, name: str, container: Container, ready: Coroutine[None, None, Told]
) -> Told:
    """Start a server; returns what `ready` does. `name` is Kafka or Postgres.

    Raises EnvironmentFailed, with the end of its log, if it ends before or is late.
    """
    try:
        id = await create(run.engine, container, run.name(name.lower()))
        await start(run.engine, id)
    except EngineRefused:
        ready.close()
        raise
    answered = asyncio.ensure_future(ready)
    ended = run.engine.waiting(id)
    either: set[asyncio.Future[Any]] = {answered, ended}
    try:
        done, _ = await asyncio.wait(either, timeout=_LIMIT, return_when=asyncio.FIRST_COMPLETED)
    finally:
        answered.cancel()
        ended.cancel()
    if answered in done:
        return answered.result()
    how = f"ended while it started (exit {ended.result()})" if ended in done else None
    what = how or f"was not ready within {_LIMIT:.0f} s"
    raise EnvironmentFailed(await _message(run, name, container, id, what))


def telling_lines(log: str) -> list[str]:
    """The last lines of a log, without the frames of Java's stack traces."""
    lines = [line for line in log.splitlines() if line.strip()]
    return [line for line in lines if not line.startswith("\tat ")][-_LINES:] or [
        "(its log is empty)"
    ]


async def _message(run: DockerRun, name: str, container: Container, id: str, what: str) -> str:
    text = (await log_of(run.engine, id, _LOOK_LINES)).decode("utf-8", "replace")
    log = "\n".join(f"    {line}" for line in telling_lines(text))
    out_of_memory = (await run.engine.inspect(id))["State"].get("OOMKilled", False)
    doubt = " It was killed for its memory: raise its memory in [stack]." if out_of_memory else ""
    return (
        f"{name} {what} in a container of {container.image}.{doubt} The end of its log:\n{log}\n"
        "Mend what it complains of in [stack], or use --stack embedded."
    )


async def keep_logs(run: DockerRun, folder: Path) -> None:
    """Write what each container of a run has said into a file of its name. Raises EngineRefused."""
    for thing in await remains(run.engine, f"{RUN}={run.folder.mark}"):
        if thing.kind == "container":
            text = await log_of(run.engine, thing.id)
            await asyncio.to_thread((folder / f"{thing.name}.log").write_bytes, text)
