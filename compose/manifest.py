"""The manifest of a set of jars: name, size, time and SHA-256 of each, kept beside them.

Written when the jars are resolved. Every start checks sizes and times (`changed`), which costs a
millisecond; the doctor checks the sums too (`damaged`).
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

MANIFEST: Final = "manifest.json"


@dataclass(frozen=True, slots=True)
class Jar:
    """One jar: its path within the folder, its size in bytes, its time in ns, its SHA-256."""

    path: str
    size: int
    time: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The jars of a folder, in the order of the class path."""

    jars: tuple[Jar, ...]

    @property
    def sum(self) -> str:
        """One sum for the whole set, in order."""
        return hashlib.sha256("\n".join(jar.sha256 for jar in self.jars).encode()).hexdigest()

    def class_path(self, folder: Path) -> str:
        """The class path, spelled jar by jar: an AOT cache refuses wildcards (JEP 483)."""
        return ":".join(str(folder / jar.path) for jar in self.jars)

    def changed(self, folder: Path) -> list[str]:
        """The jars that are missing or differ, without reading those of the same size and time.

        A copied cache has other times, and is as good as its sums.
        """
        suspects = [jar for jar in self.jars if not _same_stat(folder / jar.path, jar)]
        return [jar.path for jar in suspects if not _same_sum(folder / jar.path, jar)]

    def damaged(self, folder: Path) -> list[str]:
        """The jars that are missing or differ in their sum; reads every byte."""
        return [jar.path for jar in self.jars if not _same_sum(folder / jar.path, jar)]


def manifest_of(folder: Path, paths: Iterable[Path]) -> Manifest:
    """The manifest of jars below `folder`."""
    return Manifest(tuple(_jar(folder, path) for path in paths))


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Keep a manifest beside its jars."""
    (folder / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1), encoding="utf-8")


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a folder; None where there is none that can be read."""
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return Manifest(tuple(Jar(**jar) for jar in content["jars"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _jar(folder: Path, path: Path) -> Jar:
    state = path.stat()
    name = str(path.relative_to(folder))
    return Jar(name, state.st_size, state.st_mtime_ns, _sum(path))


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _same_stat(path: Path, jar: Jar) -> bool:
    try:
        state = path.stat()
    except OSError:
        return False
    return (state.st_size, state.st_mtime_ns) == (jar.size, jar.time)


def _same_sum(path: Path, jar: Jar) -> bool:
    try:
        return _sum(path) == jar.sha256
    except OSError:
        return False
