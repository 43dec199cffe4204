"""The user that a server runs under where killpoint runs as root: Postgres refuses to be root.

Also: what that user can reach. A virtual environment below /root is closed to everybody else, so
programs are linked (copied, across file systems) to where they can be executed.
"""

import os
import pwd
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from killpoint.faults.environment import EnvironmentFailed

_UNPRIVILEGED: Final = "nobody"
User = tuple[int, int]
"""A uid and a gid."""


def server_user() -> User | None:
    """None where killpoint is an ordinary user, whose servers run under the same."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(_UNPRIVILEGED)
    except KeyError:
        raise EnvironmentFailed(
            f"killpoint runs as root, Postgres refuses to, and there is no user `{_UNPRIVILEGED}` "
            "to run it under. Run killpoint as an ordinary user."
        ) from None
    return entry.pw_uid, entry.pw_gid


def reachable(path: Path) -> bool:
    """Whether every user can enter the folder `path`: it and all above it are open."""
    folders = [path.resolve(), *path.resolve().parents]
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in folders)


def link_tree(source: Path, target: Path, ignore: Callable[[str, list[str]], set[str]]) -> None:
    """Lay a readable twin of a tree: hard links where that is possible, copies elsewhere."""
    shutil.copytree(source, target, copy_function=_link, ignore=ignore)
    for folder, _, _ in os.walk(target):
        Path(folder).chmod(0o755)


def own_tree(folder: Path, user: User | None) -> None:
    """Give a folder and all below it to a user; nothing to do without one."""
    if user is None:
        return
    for parent, _, files in os.walk(folder):
        os.chown(parent, *user)
        for name in files:
            os.chown(Path(parent) / name, *user)


def _link(source: str, target: str) -> None:
    mode = Path(source).stat().st_mode
    if mode & stat.S_IROTH:
        try:
            os.link(source, target)
            return
        except OSError:  # another file system, or one without links
            pass
    shutil.copyfile(source, target)
    # What its owner may do, everybody may but write.
    Path(target).chmod((mode & 0o500) * 0o111 // 0o100 | 0o600)
