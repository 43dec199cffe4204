"""Files that are whole or not there: written aside, then renamed.

A report that a CI job picks up must not be half of one, whatever ends killpoint.
"""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from killpoint.cli.errors import UserError


def write_whole(path: Path, text: str) -> None:
    """Write a text as UTF-8 beside `path` and rename it. Raises UserError if that fails.

    Lone surrogates, which UTF-8 has no form for, are written as their escapes.
    """
    aside: str | None = None
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            aside = file.name
            file.write(text.encode("utf-8", "backslashreplace"))
        _as_usual(Path(aside))
        Path(aside).replace(path)
    except OSError as error:
        if aside is not None:
            Path(aside).unlink(missing_ok=True)
        raise _not_written(path, error) from error


def check_writable(path: Path) -> None:
    """Raise UserError before anything is started if `path` cannot be written to later."""
    if not path.parent.is_dir():
        raise _not_written(path, NotADirectoryError(f"no folder {path.parent}"))
    if path.is_dir():
        raise _not_written(path, IsADirectoryError("it is a folder"))
    if not os.access(path.parent, os.W_OK):
        raise _not_written(path, PermissionError(f"{path.parent} is not writable"))


def _as_usual(path: Path) -> None:
    """Give a temporary file, which only its owner may read, the rights of any new file."""
    mask = os.umask(0)
    os.umask(mask)
    path.chmod(0o666 & ~mask)


def _not_written(path: Path, error: OSError) -> UserError:
    why = error.strerror or str(error)
    return UserError(f"cannot write {path}", why, "name a file in a folder that can be written to")
