"""A program of the user's that is run to its end: `migrate` and `produce`."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

_LIMIT_SECONDS = 300.0
_TAIL_LINES = 12


class ProgramFailed(RuntimeError):
    """It could not be started, did not end in time, or failed; the message has its last lines."""


async def run_program(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> str:
    """Run a command in a folder; returns its output. Raises ProgramFailed."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            env=dict(environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise ProgramFailed(f"{command[0]} could not be started: {error.strerror}") from error
    try:
        async with asyncio.timeout(_LIMIT_SECONDS):
            output, _ = await process.communicate()
    except TimeoutError as error:
        raise ProgramFailed(f"it did not end within {_LIMIT_SECONDS:g} s") from error
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    text = output.decode(errors="replace")
    if process.returncode:
        tail = "\n".join(text.strip().splitlines()[-_TAIL_LINES:])
        raise ProgramFailed(f"exit {process.returncode}: {tail}" if tail else "it failed silently")
    return text
