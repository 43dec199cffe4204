"""A folder in memory for the data of one run's database, where the machine has room for it.

Counterparts: `run_folder` makes and cleans it, `embedded` puts Postgres's data there. Every
scenario copies and drops a database of 300 files: in memory that takes 30 ms; on a disk where files
are made and deleted all the time it was measured to take up to 0.8 s. Only data goes there:
containers forbid to execute what lies in such a place.
"""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from killpoint.compose.run_folder import MEMORY, RunFolder

ROOM: Final = 1024 * 1024 * 1024
"""Bytes that have to be free, far more than is used: memory is scarcer than disk."""


@contextmanager
def memory_folder(place: Path = MEMORY, room: int = ROOM) -> Generator[Path | None]:
    """A new folder, removed at the end; None where there is no such place or too little room."""
    try:
        enough = shutil.disk_usage(place).free >= room
        folder = RunFolder.create(parent=place) if enough else None
    except OSError:
        folder = None
    try:
        yield folder.path if folder else None
    finally:
        if folder:
            folder.remove()
