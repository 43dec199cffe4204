"""Servers and their tools as supervised processes: run one to its end, or until it is ready.

Counterpart: `supervised` owns the processes. A failure is raised as EnvironmentFailed with the end
of the log; nothing here knows which server it is.
"""

import asyncio
import os
import shlex
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from killpoint.compose.supervised import Process, Supervisor
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.target import Exit, TargetError

Told = TypeVar("Told")

_LINES: Final = 15
_BYTES: Final = 16_384


@dataclass(frozen=True, slots=True)
class Program:
    """What is started: `name` is what messages call it; `user` is a uid and a gid.

    `bare`: without killpoint's own environment, of which JAVA_TOOL_OPTIONS, PGOPTIONS and the like
    would change a server. What goes to the network needs it (proxies, certificates).
    """

    name: str
    command: Sequence[str]
    folder: Path
    log: Path
    user: tuple[int, int] | None = None
    bare: bool = True


async def spawn(supervisor: Supervisor, program: Program) -> Process:
    """Start a program. Raises EnvironmentFailed."""
    bare = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
    try:
        return await supervisor.spawn(
            program.command,
            env=bare if program.bare else os.environ,
            cwd=program.folder,
            log=program.log,
            user=program.user,
        )
    except TargetError as error:
        raise EnvironmentFailed(f"{program.name}: {error}") from error


async def run(supervisor: Supervisor, program: Program, limit: float) -> None:
    """Run a program to its end; raises EnvironmentFailed unless it exits 0 within `limit` s."""
    process = await spawn(supervisor, program)
    await ended(process, program, limit)


async def ended(process: Process, program: Program, limit: float, code: int = 0) -> None:
    """Wait for a program to exit with `code`; raises EnvironmentFailed otherwise."""
    try:
        async with asyncio.timeout(limit):
            end = await process.wait()
    except TimeoutError:
        await process.kill()
        raise EnvironmentFailed(_message(program, f"did not end within {limit:.0f} s")) from None
    if end != Exit(code):
        raise EnvironmentFailed(
            _message(program, f"failed ({end}): {shlex.join(program.command[:1])} …")
        )


async def until_ready(
    process: Process, program: Program, ready: Coroutine[None, None, Told], limit: float
) -> Told:
    """What `ready` returns; raises EnvironmentFailed if the process ends before, or it is late."""
    answered = asyncio.ensure_future(ready)
    dead = asyncio.ensure_future(process.wait())
    try:
        done, _ = await asyncio.wait(
            [answered, dead], timeout=limit, return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        answered.cancel()
        dead.cancel()
    if answered in done:
        return answered.result()
    if dead in done:
        raise EnvironmentFailed(_message(program, f"ended while it started ({dead.result()})"))
    raise EnvironmentFailed(_message(program, f"was not ready within {limit:.0f} s"))


def log_tail(log: Path) -> str:
    """The last lines of a log, indented; says so where there is nothing."""
    try:
        text = log.read_bytes()[-_BYTES:].decode("utf-8", "replace").rstrip()
    except OSError as error:
        return f"    (no log: {error})"
    lines = text.splitlines()[-_LINES:] or ["(its log is empty)"]
    return "\n".join(f"    {line}" for line in lines)


def _message(program: Program, what: str) -> str:
    return (
        f"{program.name} {what}. The end of its log:\n{log_tail(program.log)}\n"
        "`killpoint doctor` checks everything it is started from."
    )
