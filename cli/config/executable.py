"""Where a program of the configuration is: on the PATH, or in the configuration's folder.

Counterpart: the verifiers ask before anything starts, the session again to start it.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path


class NoSuchProgram(ValueError):
    """A program that cannot be run: the message says why, `remedy` what to do."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


def find_executable(name: str, folder: Path, environment: Mapping[str, str]) -> str:
    """The absolute path of a program.

    With a slash it is resolved in `folder`, else on the PATH of `environment`. A link is not
    followed, as what a program does can depend on its name. Raises NoSuchProgram.
    """
    if "/" not in name:
        found = shutil.which(name, path=environment.get("PATH", os.defpath))
        if found is None:
            remedy = "install it, or write its path, or use {python} for killpoint's own Python"
            raise NoSuchProgram(f'"{name}" is not on the PATH', remedy)
        return str((folder / found).absolute())
    path = (folder / name).absolute()
    if not path.is_file():
        raise NoSuchProgram(
            f'"{name}" does not exist', f"write its path from this file's folder: {folder}"
        )
    if not os.access(path, os.X_OK):
        raise NoSuchProgram(f'"{name}" is not executable', f"chmod +x {path}")
    return str(path)
