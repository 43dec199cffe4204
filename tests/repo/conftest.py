"""What the tests of the repository share: its root, and the files that are or will be committed."""

import os
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOMS = ("cli", "faults", "checks", "compose")
CLONE_ONLY = Path("compose/images")
"""Below a room, but neither in the wheel nor in the source archive: needed where tests run."""


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(__file__).parents[2]


@pytest.fixture(scope="session")
def ignored(root: Path) -> frozenset[str]:
    """The patterns of .gitignore, as names: git itself may not be there."""
    lines = (root / ".gitignore").read_text(encoding="utf-8").split()
    return frozenset(line.strip("/") for line in lines) | {".git"}


@pytest.fixture(scope="session")
def files(root: Path, ignored: frozenset[str]) -> tuple[Path, ...]:
    """Every file that git would take, links not followed."""
    found: list[Path] = []
    for folder, folders, names in os.walk(root):
        folders[:] = _kept(folders, ignored)
        found += [Path(folder, name) for name in _kept(names, ignored)]
    return tuple(sorted(path for path in found if not path.is_symlink()))


def _kept(names: Iterable[str], ignored: frozenset[str]) -> list[str]:
    return [name for name in names if not any(fnmatch(name, pattern) for pattern in ignored)]


@pytest.fixture(scope="session")
def sources(root: Path, files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Everything in the four rooms that users get: programs and data, relative to the root."""
    inside = (path.relative_to(root) for path in files)
    return tuple(
        path for path in inside if path.parts[0] in ROOMS and not path.is_relative_to(CLONE_ONLY)
    )
