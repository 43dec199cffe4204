"""A folder of the run and a supervisor whose processes work in it: they live and end together.

Counterparts: `run_folder` and `supervised`.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from killpoint.compose.run_folder import RunFolder
from killpoint.compose.supervised import Supervisor, SupervisorDied
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.to_the_end import to_the_end


@asynccontextmanager
async def workplace() -> AsyncGenerator[tuple[RunFolder, Supervisor]]:
    """Both, made anew; at the end every process is killed and the folder removed.

    What a killpoint that was killed has left is cleaned first. Raises EnvironmentFailed where they
    cannot be made.
    """
    try:
        await asyncio.to_thread(RunFolder.clean_dead)
        folder = RunFolder.create()
    except OSError as error:
        raise EnvironmentFailed(
            f"the folder of the run cannot be made: {error}. Make the temporary folder writable, "
            "or set TMPDIR to one that is."
        ) from error
    try:
        supervisor = await _supervisor(folder)
        try:
            yield folder, supervisor
        finally:
            await to_the_end(supervisor.close())
    finally:
        await to_the_end(asyncio.to_thread(folder.remove))


async def _supervisor(folder: RunFolder) -> Supervisor:
    try:
        return await Supervisor.start(folder.mark, folder.record)
    except (OSError, SupervisorDied) as error:
        raise EnvironmentFailed(
            f"the supervisor of the servers cannot be started: {error}. Free some memory or "
            "processes, and try again."
        ) from error
