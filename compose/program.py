"""A program of the user's that is run to its end: `migrate` and `produce`.

It has a supervisor of its own, so that neither it nor what it starts outlives killpoint.
"""

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from killpoint.compose.supervised import Supervisor
from killpoint.faults.target import Exit, TargetError

_LIMIT_SECONDS = 300.0
_TAIL_LINES = 12


class ProgramFailed(RuntimeError):
    """It could not be started, did not end in time, or failed; the message has its last lines."""


async def run_program(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> str:
    """Run a command in a folder; returns its output. Raises ProgramFailed."""
    with tempfile.NamedTemporaryFile(prefix="killpoint-output-") as output:
        log = Path(output.name)
        how = await _run(command, environment, folder, log)
        text = await asyncio.to_thread(log.read_text, "utf-8", errors="replace")
    if how != Exit(0):
        tail = "\n".join(text.strip().splitlines()[-_TAIL_LINES:])
        raise ProgramFailed(f"{how}: {tail}" if tail else f"{how}, without a word")
    return text


async def _run(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, log: Path
) -> Exit:
    supervisor = await Supervisor.start()
    try:
        process = await supervisor.spawn(command, env=environment, cwd=folder, log=log)
        async with asyncio.timeout(_LIMIT_SECONDS):
            return await process.wait()
    except TargetError as error:
        raise ProgramFailed(str(error)) from error
    except TimeoutError as error:
        raise ProgramFailed(f"it did not end within {_LIMIT_SECONDS:g} s") from error
    finally:
        await supervisor.close()
