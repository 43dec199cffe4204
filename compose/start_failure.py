"""Words for a command that could not be started: what happened, why, and what to do.

Counterpart: `launch` gives the step and the error number, `supervised` raises the message.
"""

import errno
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path


def start_failure(
    command: Sequence[str], env: Mapping[str, str], folder: Path, log: Path, step: str, number: int
) -> str:
    """One message of one or two sentences; `step` and `number` are those of LaunchError."""
    said = f"could not start `{shlex.join(command)}`: "
    match step:
        case "folder":
            return said + f"the folder {folder} {_of_file(number)}. Give an existing folder."
        case "log":
            return said + f"its log {log} {_of_file(number)}. Make its folder writable."
        case "user":
            return said + f"cannot change to its user ({os.strerror(number)}). Run as root."
        case "fork":
            return said + f"{os.strerror(number)}. End other processes, or raise the limit."
        case _:
            return said + _of_program(command[0] if command else "", env, folder, number)


def _of_program(program: str, env: Mapping[str, str], folder: Path, number: int) -> str:
    if number == errno.EINVAL:
        return "the command or its environment holds a zero byte. Remove it."
    if "/" not in program:
        if number in (errno.ENOENT, errno.ENOTDIR):
            where = env.get("PATH", os.defpath)
            return f"no program `{program}` on PATH ({where}). Install it, or give its path."
        return f"`{program}` {_of_file(number)}. Check the file that PATH leads to."
    path = folder / program
    if number == errno.ENOENT and path.exists():
        return f"the interpreter in the first line of {path} does not exist. Mend that line."
    if number == errno.EACCES and path.is_file():
        return f"{path} is not executable. Run `chmod +x {shlex.quote(str(path))}`."
    if number == errno.ENOEXEC:
        return f"{path} is no program. Start it by its interpreter, or add a `#!` line."
    return f"{path} {_of_file(number)}. Check the path."


def _of_file(number: int) -> str:
    known = {errno.ENOENT: "does not exist", errno.EACCES: "cannot be used: permission denied"}
    return known.get(number) or f"cannot be used: {os.strerror(number)}"
