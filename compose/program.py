"""A program of the user's that is run to its end: `migrate`, `produce` and `expected_command`.

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
    _require_success(how, text)
    return text


def _require_success(how: Exit, text: str) -> None:
    if how != Exit(0):
        tail = "\n".join(text.strip().splitlines()[-_TAIL_LINES:])
        raise ProgramFailed(f"{how}: {tail}" if tail else f"{how}, without a word")


async def run_filter(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, given: bytes
) -> bytes:
    """Run a command with `given` as its input; returns its standard output. Raises ProgramFailed.

    The message of a failure has the last lines of its standard error.
    """
    with tempfile.TemporaryDirectory(prefix="killpoint-filter-") as temporary:
        source, output, log = (Path(temporary, name) for name in ("input", "output", "errors"))
        await asyncio.to_thread(source.write_bytes, given)
        output.touch()
        how = await _run(command, environment, folder, log, (source, output))
        text = await asyncio.to_thread(log.read_text, "utf-8", errors="replace")
        _require_success(how, text)
        return await asyncio.to_thread(output.read_bytes)


async def _run(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    log: Path,
    ends: tuple[Path, Path] | None = None,
) -> Exit:
    supervisor = await Supervisor.start()
    try:
        process = await supervisor.spawn(command, env=environment, cwd=folder, log=log, ends=ends)
        async with asyncio.timeout(_LIMIT_SECONDS):
            return await process.wait()
    except TargetError as error:
        raise ProgramFailed(str(error)) from error
    except TimeoutError as error:
        raise ProgramFailed(f"it did not end within {_LIMIT_SECONDS:g} s") from error
    finally:
        await supervisor.close()
