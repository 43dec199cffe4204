"""The per-user cache: where it lies, and how several killpoints share it.

Everything below it is made aside and renamed into place while a lock is held, so a reader sees a
folder whole or not at all, and two killpoints that prepare at once do the work once. Counterparts:
`kafka_files` and `postgres_files` fill it. Nothing here knows what is kept.
"""

import asyncio
import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from killpoint.faults.environment import EnvironmentFailed

_ASIDE: Final = ".aside-"
_LOCK_POLL: Final = 0.05


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """`$XDG_CACHE_HOME/killpoint`; `~/.cache/killpoint` where that is unset, empty or relative.

    Source: XDG Base Directory Specification 0.8 (relative paths are to be ignored).
    """
    base = Path(environment.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "killpoint"


def fingerprint(*parts: str) -> str:
    """A short name for what was made from `parts`: any change of one gives another name."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


async def made(
    folder: Path,
    make: Callable[[Path], Awaitable[None]],
    whole: Callable[[Path], bool] = Path.exists,
) -> Path:
    """`folder`, made by `make` in a folder aside unless it is there and `whole`.

    Another killpoint that makes the same is waited for. If `make` raises, nothing is left behind.
    Raises EnvironmentFailed where the cache cannot be written.
    """
    if whole(folder):
        return folder
    try:
        async with _locked(folder):
            if not whole(folder):
                await _make_aside(folder, make)
    except OSError as error:
        raise EnvironmentFailed(
            f"the cache cannot be written: {error}. Make {folder.parent} writable, or set "
            "XDG_CACHE_HOME to a folder that is."
        ) from error
    return folder


async def _make_aside(folder: Path, make: Callable[[Path], Awaitable[None]]) -> None:
    aside = _new_aside(folder)
    try:
        await make(aside)
        _replace(folder, aside)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _new_aside(folder: Path) -> Path:
    # Only the holder of the lock makes folders aside: any that is there is of a killed killpoint.
    for left in folder.parent.glob(f"{folder.name}{_ASIDE}*"):
        shutil.rmtree(left)
    return Path(tempfile.mkdtemp(prefix=folder.name + _ASIDE, dir=folder.parent))


def _replace(folder: Path, aside: Path) -> None:
    """Put `aside` in the place of `folder`; what was there goes aside and is removed."""
    if folder.exists():
        old = folder.with_name(f"{folder.name}{_ASIDE}old")
        folder.rename(old)
        aside.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    else:
        aside.rename(folder)


@asynccontextmanager
async def _locked(folder: Path) -> AsyncGenerator[None]:
    """Hold the lock of a folder; the kernel lets go of it when its holder dies."""
    descriptor = _open_lock(folder)
    try:
        await _lock(descriptor)
        yield
    finally:
        os.close(descriptor)


async def _lock(descriptor: int) -> None:
    while True:
        if _try_lock(descriptor):
            return
        await asyncio.sleep(_LOCK_POLL)


def _open_lock(folder: Path) -> int:
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = folder.with_name(folder.name + ".lock")
    return os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
