"""System V shared memory that does not outlive those who use it.

Postgres keeps a small segment as an interlock, and a SIGKILL of the whole server leaves it behind
for ever. A segment that is marked for removal lives until its last user has ended (shmctl(2)).
"""

import ctypes
from pathlib import Path
from typing import Final

_IPC_RMID: Final = 0
_LINE: Final = 6
"""Of postmaster.pid, from 0: key and id of the segment (miscadmin.h, LOCK_FILE_LINE_SHMEM_KEY)."""


def forget_with_its_users(lock_file: Path) -> None:
    """Mark the segment that a postmaster.pid names. Where that is not allowed nothing happens."""
    lines = lock_file.read_text(encoding="utf-8").splitlines()
    if len(lines) > _LINE and lines[_LINE].strip():
        segment = int(lines[_LINE].split()[1])
        ctypes.CDLL(None).shmctl(segment, _IPC_RMID, None)
