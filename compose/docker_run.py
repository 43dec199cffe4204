"""A run's part of an engine: what it makes carries its labels and is gone at its end.

Counterparts: `docker_environment` and `container_target` make things in it. It holds the lock of a
run folder, so that the next start can tell whether this run lives.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count

from killpoint.compose.docker_engine import Engine, EngineRefused
from killpoint.compose.docker_labels import RUN, labels_of, run_is_dead
from killpoint.compose.docker_remains import remove
from killpoint.compose.run_folder import RunFolder
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.to_the_end import to_the_end


@dataclass(slots=True)
class DockerRun:
    """An engine and a locked folder; every name that it gives is a new one."""

    engine: Engine
    folder: RunFolder
    _word: str = field(default_factory=lambda: secrets.token_hex(4))
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    @property
    def labels(self) -> dict[str, str]:
        """For everything that is made."""
        return labels_of(self.folder)

    def name(self, what: str) -> str:
        """A name for a container or network, such as killpoint-1f0c9a2b-kafka-1."""
        return f"killpoint-{self._word}-{what}-{next(self._numbers)}"

    async def clear(self) -> None:
        """Remove all that this run has made. Raises EngineRefused."""
        await remove(self.engine, lambda labels: True, f"{RUN}={self.folder.mark}")


@asynccontextmanager
async def docker_run() -> AsyncGenerator[DockerRun]:
    """A run in the engine of this machine, after what dead runs have left was removed.

    Raises EngineMissing, or EnvironmentFailed where its folder cannot be made. What the engine does
    not remove stays for the next start; `killpoint down` says why.
    """
    engine = await Engine.connected()
    try:
        with suppress(EngineRefused):
            await remove(engine, run_is_dead)
        folder = _folder()
        try:
            run = DockerRun(engine, folder)
            try:
                yield run
            finally:
                with suppress(EngineRefused):
                    await to_the_end(run.clear())
        finally:
            await to_the_end(asyncio.to_thread(folder.remove))
    finally:
        await to_the_end(engine.close())


def _folder() -> RunFolder:
    try:
        return RunFolder.create()
    except OSError as error:
        raise EnvironmentFailed(
            f"the folder of the run cannot be made: {error}. Make the temporary folder writable, "
            "or set TMPDIR to one that is."
        ) from error
