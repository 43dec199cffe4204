"""The state of the project's folder, to tell which files a target has changed."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

_LEFT_OUT: Final = frozenset(
    {".git", ".killpoint", ".venv", "venv", "node_modules", "__pycache__", "target", ".gradle"}
)
_FILES_LIMIT: Final = 20_000

State = Mapping[Path, tuple[int, int]]
"""Time of the last change in ns and size in bytes, by path."""


def folder_state(folder: Path) -> State:
    """The files below a folder; caches and dependencies are left out, links are not followed."""
    found: dict[Path, tuple[int, int]] = {}
    for entry in _files(folder):
        if len(found) >= _FILES_LIMIT:
            break
        status = entry.stat(follow_symlinks=False)
        found[Path(entry.path)] = (status.st_mtime_ns, status.st_size)
    return found


def changed(before: State, after: State) -> list[Path]:
    """Files that came, went or were changed between two states, sorted."""
    paths = before.keys() | after.keys()
    return sorted(path for path in paths if before.get(path) != after.get(path))


def _files(folder: Path) -> Iterator[os.DirEntry[str]]:
    waiting = [str(folder)]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _LEFT_OUT:
                    waiting.append(entry.path)
            elif entry.is_file(follow_symlinks=False):
                yield entry
