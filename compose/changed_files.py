"""The files of the project that a target changes: found in clean runs, restored before each run.

What such a file holds belongs to the crash state: a restart may read it. `folder_state`
tells what changed; the session keeps the folder before the first clean run, looks after it, and
restores from then on. What is overwritten is moved aside first, as it might be the user's own edit.
What is open for writing before the target starts is another's: killpoint's own output, say.
"""

import shutil
from hashlib import sha256
from pathlib import Path
from typing import Final

from killpoint.compose.folder_state import State, changed, folder_state
from killpoint.compose.open_files import files_written
from killpoint.compose.process_tree import LinuxProcesses
from killpoint.faults.history import Files

FILE_LIMIT: Final = 1 << 20
"""Bytes of a file that is kept in memory so that it can be restored."""
FOLDER_LIMIT: Final = 64 << 20


class ChangedFiles:
    """Of one folder. `aside`: where a file goes before it is overwritten or removed."""

    def __init__(self, folder: Path, aside: Path) -> None:
        self._folder = folder
        self._aside = aside
        self._state: State = {}
        self._kept: dict[Path, bytes] = {}
        self._ends: list[dict[str, str]] = []
        self._others: frozenset[Path] = frozenset()
        self.paths: list[Path] = []
        """The files that the target has changed, made or removed, sorted."""

    def keep(self) -> None:
        """Remember what the files hold now."""
        self._others = frozenset(files_written(list(LinuxProcesses().snapshot())))
        self._state = folder_state(self._folder)
        room = FOLDER_LIMIT
        for path, (_, size) in self._state.items():
            if size <= min(FILE_LIMIT, room) and (content := _read(path)) is not None:
                self._kept[path] = content
                room -= size

    def look(self) -> None:
        """Find what a clean run has changed since `keep`."""
        differs = changed(self._state, folder_state(self._folder))
        found = [path for path in differs if path.resolve() not in self._others]
        self.paths = sorted({*self.paths, *(path for path in found if self._differs(path))})
        self._ends.append(dict(self.digests()))

    @property
    def steady(self) -> frozenset[str]:
        """Those that held the same after every clean run; a log, say, holds the time as well."""
        return frozenset(
            name
            for name in map(str, self.paths)
            if len({end.get(name, _digest(None)) for end in self._ends}) == 1
        )

    def restore(self) -> list[Path]:
        """Bring the changed files back; returns those that were too large to be kept."""
        lost: list[Path] = []
        for path in self.paths:
            if not self._differs(path):
                continue
            if path in self._state and path not in self._kept:
                lost.append(path)
                continue
            self._set_aside(path)
            if path in self._kept:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self._kept[path])
        return lost

    def digests(self) -> Files:
        """What the changed files hold now, by path: equal digests mean equal files."""
        return tuple((str(path), _digest(_read(path))) for path in self.paths)

    def _differs(self, path: Path) -> bool:
        if path not in self._state:
            return path.exists()
        if path not in self._kept:
            status = path.stat() if path.exists() else None
            return status is None or (status.st_mtime_ns, status.st_size) != self._state[path]
        return _read(path) != self._kept[path]

    def _set_aside(self, path: Path) -> None:
        if path.exists():
            place = self._aside / path.relative_to(self._folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, place)


def _digest(content: bytes | None) -> str:
    return "-" if content is None else sha256(content).hexdigest()[:12]


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
