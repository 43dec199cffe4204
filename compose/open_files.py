"""The regular files that processes have open for writing, as Linux tells them in /proc.

Counterpart: `process_target` asks, so that state kept in files can be named. Files that were
written and closed again are seen by `folder_state` only, below the project's folder.
"""

import contextlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

_WRITING = os.O_WRONLY | os.O_RDWR


def files_written(pids: Sequence[int]) -> list[Path]:
    """The files, without doubles, sorted; those of processes that have ended are left out."""
    return sorted({path for pid in pids for path in _of(pid)})


def _of(pid: int) -> Iterable[Path]:
    with contextlib.suppress(OSError):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError, ValueError):
                path = Path(os.readlink(link))  # noqa: PTH115 - the link's text, not the file
                # By its own root: a process in a container sees other files than we do.
                there = Path(f"/proc/{pid}/root{path}")
                if there.is_file() and _flags(pid, link.name) & _WRITING:
                    yield path


def _flags(pid: int, number: str) -> int:
    for line in Path(f"/proc/{pid}/fdinfo/{number}").read_text("ascii").splitlines():
        if line.startswith("flags:"):
            return int(line.split()[1], 8)
    return 0
