"""Programs of the user's, run to their end: `migrate`, `produce` and the hooks."""

from pathlib import Path

from killpoint.cli.errors import UserError
from killpoint.compose.program import ProgramFailed, run_program
from killpoint.faults.stage import HookFailed, Launch


async def run_user_program(key: str, launch: Launch, folder: Path) -> None:
    """Run it. Raises UserError that names the key and shows the last lines of its output."""
    try:
        await run_program(launch.command, launch.environment, folder)
    except ProgramFailed as error:
        remedy = f"run it by hand: {' '.join(launch.command)}"
        raise UserError(f"{key} failed", str(error), remedy) from error


async def run_hook(launch: Launch, folder: Path) -> None:
    """Run a hook. Raises HookFailed with the last lines of its output."""
    try:
        await run_program(launch.command, launch.environment, folder)
    except ProgramFailed as error:
        raise HookFailed(str(error)) from error
