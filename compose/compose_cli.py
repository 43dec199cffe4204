"""The Compose CLI: it reads the user's file and runs what killpoint has made of it.

Counterparts: `compose_file` is what it reads, `compose_project` has it run things. The compose
specification is known to it alone.
"""

import asyncio
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from killpoint.compose.compose_file import ComposeFile
from killpoint.compose.program import ProgramFailed, run_program
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.target import TargetError

INSTALL: Final = "Install Docker's Compose plug-in (docker-compose-plugin)."
_ALL_PROFILES: Final = ("--profile", "*")


class ComposeMissing(EnvironmentFailed):
    """There is no Compose here; `short` is why in few words."""

    def __init__(self, short: str) -> None:
        super().__init__(f"{short}, and the target is a service of a compose file. {INSTALL}")
        self.short = short


async def compose_version() -> str:
    """The version of the plug-in. Raises ComposeMissing."""
    code, output, _ = await _asked(Path.cwd(), "version", "--short")
    if code:
        raise ComposeMissing("docker compose does not answer")
    return output.strip()


async def read_compose_file(path: Path) -> ComposeFile:
    """The user's file as Compose resolves it, with what it includes, extends and interpolates.

    Services of every profile are in it. Raises ComposeMissing, or TargetError with what is wrong.
    """
    await compose_version()
    words = ("--file", str(path), *_ALL_PROFILES, "config", "--format", "json")
    code, output, errors = await _asked(path.parent, *words)
    if code:
        raise TargetError(
            f"{path.name} cannot be read by Compose: {errors.strip()}. Mend it; try: "
            f"docker compose --file {path.name} config"
        )
    return ComposeFile(path, json.loads(output))


@dataclass(frozen=True, slots=True)
class ComposeCli:
    """Runs commands on one file, which is killpoint's, under a project name of the run."""

    file: Path
    project: str

    async def do(self, *words: str) -> str:
        """Run one command to its end; returns what it printed. Raises ProgramFailed."""
        command = _command("--project-name", self.project, "--file", str(self.file), *words)
        # Containers in the order of their starts, and nothing drawn.
        environment = {**os.environ, "COMPOSE_ANSI": "never", "COMPOSE_PROGRESS": "plain"}
        return await run_program(command, _without_choices(environment), self.file.parent)


async def composed(what: str, cli: ComposeCli, *words: str) -> str:
    """Run one command; `what` says in words what could not be done. Raises TargetError."""
    try:
        return await cli.do(*words)
    except ProgramFailed as error:
        raise TargetError(f"Compose could not {what}: {error}") from error


def _command(*words: str) -> Sequence[str]:
    program = shutil.which("docker")
    if program is None:
        raise ComposeMissing("the command docker is not on the PATH")
    return (program, "compose", *words)


def _without_choices(environment: dict[str, str]) -> dict[str, str]:
    """Variables of the user's choose the profiles and files of the user's project, not of this."""
    chosen = ("COMPOSE_PROFILES", "COMPOSE_FILE", "COMPOSE_PROJECT_NAME", "COMPOSE_ENV_FILES")
    return {name: value for name, value in environment.items() if name not in chosen}


async def _asked(folder: Path, *words: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a command that changes nothing."""
    process = await asyncio.create_subprocess_exec(
        *_command(*words),
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    return process.returncode or 0, output.decode(), errors.decode("utf-8", "replace")
