"""The folder of one run: everything that killpoint writes outside the user's own project.

Counterpart: `environment` and the session put their files into it; the next start cleans what a run
that was killed has left. A run lives as long as its lock (flock on the file `lock`) is held: the
kernel frees it however the process ends.
"""

import contextlib
import fcntl
import os
import shutil
import stat
import string
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from killpoint.compose.process_tree import LinuxProcesses
from killpoint.compose.strays import kill_left_behind

_LOCK, _PROCESSES = "lock", "processes"
_RANDOM = frozenset(string.ascii_lowercase + string.digits + "_")
_RANDOM_LENGTH = 8  # what tempfile.mkdtemp appends
_UNFINISHED_SECONDS = 60
_PATH_LIMIT_BYTES = 50
"""Unix sockets are limited to 107 bytes, and servers put theirs some folders further down."""
MEMORY = Path("/dev/shm")
"""Where Linux keeps a file system in memory (tmpfs(5)); not every machine has it."""


class RunFolder:
    """A folder below the system's temporary folder, locked while this object is open.

    Its path as text is also the run's mark: give `mark` and `record` to Supervisor.start.
    """

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock: int | None = lock

    @classmethod
    def create(cls, prefix: str = "killpoint-", parent: Path | None = None) -> Self:
        """Make and lock a new folder, in `parent` (default: a temporary folder). Raises OSError."""
        # Under a hidden name until it is locked: nobody may find it dead before it lives.
        unfinished = Path(tempfile.mkdtemp(prefix=f".{prefix}", dir=parent or _parent(prefix)))
        lock = _lock(unfinished, os.O_CREAT)
        assert lock is not None
        if os.geteuid() == 0:
            unfinished.chmod(0o711)  # servers that run as another user reach their own part
        path = unfinished.with_name(unfinished.name.removeprefix("."))
        return cls(unfinished.rename(path), lock)

    @property
    def mark(self) -> str:
        """The value of KILLPOINT_RUN in the environment of this run's processes."""
        return str(self.path)

    def record(self, pid: int, start: int) -> None:
        """Remember a process of this run (its start time in clock ticks since boot)."""
        with (self.path / _PROCESSES).open("a", encoding="ascii") as file:
            file.write(f"{pid} {start}\n")

    def remove(self) -> None:
        """Delete the folder and free its lock; what cannot be deleted stays. Idempotent."""
        if self._lock is not None:
            _remove(self.path)
            os.close(self._lock)
            self._lock = None

    @classmethod
    def clean_dead(cls, prefix: str = "killpoint-") -> list[Path]:
        """Remove the folders of runs that are dead, and kill what is left of their processes.

        Only folders that this user made, and only processes proven to belong to such a run (pid,
        start time and mark). Blocks some milliseconds, seconds if there are processes to kill.
        Returns what was removed.
        """
        return [folder for folder in _made_here(prefix) if _clean(folder)]

    @staticmethod
    def lives(folder: Path) -> bool:
        """Whether a folder is that of a run whose lock is held, by any process."""
        try:
            file = os.open(folder / _LOCK, os.O_RDONLY | os.O_NOFOLLOW)
        except FileNotFoundError:
            return False
        except OSError:
            return True  # another user's: it cannot be asked
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(file)
        return False


def _parent(prefix: str) -> Path:
    """The system's temporary folder; /tmp if that one's path is too long for sockets.

    Or if it is closed to others while we are root: the database server runs as another user.
    """
    system = Path(tempfile.gettempdir())
    room = _PATH_LIMIT_BYTES - len(prefix) - _RANDOM_LENGTH
    usable = len(os.fsencode(system)) <= room and (os.geteuid() != 0 or _open_to_others(system))
    short = Path("/tmp")
    return system if usable or not os.access(short, os.W_OK | os.X_OK) else short


def _open_to_others(folder: Path) -> bool:
    """Whether every user can enter what is below it."""
    return all(above.stat().st_mode & stat.S_IXOTH for above in (folder, *folder.parents))


def _made_here(prefix: str) -> Iterator[Path]:
    """Folders of this user whose names are like those that `create` gives, finished or not."""
    places = {Path(tempfile.gettempdir()), _parent(prefix), MEMORY}
    for parent in filter(Path.is_dir, places):
        for start in (prefix, f".{prefix}"):
            yield from sorted(path for path in parent.iterdir() if _is_ours(path, start))


def _is_ours(path: Path, start: str) -> bool:
    random = path.name[len(start) :]
    if not path.name.startswith(start) or len(random) != _RANDOM_LENGTH:
        return False
    if not _RANDOM.issuperset(random):
        return False
    try:
        status = path.lstat()
    except OSError:
        return False
    young = time.time() - status.st_mtime < _UNFINISHED_SECONDS
    unfinished = start.startswith(".")
    return path.is_dir() and status.st_uid == os.geteuid() and not (unfinished and young)


def _clean(folder: Path) -> bool:
    """Whether the run was dead and its folder is gone now."""
    lock = _lock(folder)
    if lock is None:
        # A removal that ended between its last two steps has left an empty folder.
        with contextlib.suppress(OSError):
            folder.rmdir()
        return not folder.exists()
    try:
        kill_left_behind(LinuxProcesses(), _recorded(folder), str(folder))
        _remove(folder)
        return not folder.exists()
    finally:
        os.close(lock)


def _lock(folder: Path, create: int = 0) -> int | None:
    """A file that holds the folder's lock; None if it is held, missing, or just being removed."""
    try:
        file = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW | create, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    if os.fstat(file).st_nlink == 0:
        os.close(file)
        return None
    return file


def _recorded(folder: Path) -> list[tuple[int, int]]:
    try:
        lines = (folder / _PROCESSES).read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    words = (line.split() for line in lines)
    # The last line may be cut short: its number would be another one, so the proof fails.
    return [(int(pair[0]), int(pair[1])) for pair in words if len(pair) == 2]


def _remove(folder: Path) -> None:
    """Delete a folder, its lock file last: a removal that is cut short can be taken up again."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.name != _LOCK:
                _delete(path)
    with contextlib.suppress(OSError):
        if all(path.name == _LOCK for path in folder.iterdir()):
            shutil.rmtree(folder)


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
