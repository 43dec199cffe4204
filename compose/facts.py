"""Facts about the machine: what the embedded environment is started from, and what is missing.

Counterpart: `killpoint doctor` prints them. Nothing is made or changed here; every byte of the jars
is read.
"""

import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from killpoint.compose.cache import cache_folder
from killpoint.compose.java import Java, find_java
from killpoint.compose.kafka_files import files_for, jars_folder
from killpoint.compose.kafka_jars import KAFKA_VERSION, require_resolver
from killpoint.compose.manifest import read_manifest
from killpoint.compose.postgres_files import postgres_files
from killpoint.compose.server_user import server_user
from killpoint.faults.environment import EnvironmentFailed

_TRIED: Final = ("Linux", "x86_64")
_WILL_BE_MADE: Final = "The first start makes it, for example: killpoint demo"
_ROOM: Final = 500 * 1024 * 1024
"""Bytes that the cache takes, with a margin."""


@dataclass(frozen=True, slots=True)
class Fact:
    """`what` was found, or is missing; `remedy` is empty where nothing has to be done.

    `needed`: the embedded stack does not work without it.
    """

    name: str
    found: bool
    what: str
    remedy: str = ""
    needed: bool = True

    @property
    def in_the_way(self) -> bool:
        """Missing, needed, and nothing that the first start makes by itself."""
        return self.needed and not self.found and self.remedy != _WILL_BE_MADE


def facts() -> list[Fact]:
    """All facts, in the order in which one needs the other. Blocks for some 0.1 s."""
    return [
        _system(),
        Fact("Python", True, f"{platform.python_version()} ({sys.executable})"),
        _java(),
        _jars(),
        _kafka_folder(),
        _aot_cache(),
        _postgres(),
        _postgres_folder(),
        _cache(),
    ]


def _system() -> Fact:
    here = (platform.system(), platform.machine())
    words = f"{here[0]} on {here[1]}"
    if here == _TRIED:
        return Fact("system", True, words)
    tried = f"killpoint has been tried on {_TRIED[0]} on {_TRIED[1]} only"
    return Fact("system", False, f"{words}: {tried}", "It may work; please report what does not.")


def _java() -> Fact:
    return _unless_failed("Java", lambda: Fact("Java", True, _words(find_java())))


def _words(java: Java) -> str:
    return f"{java.version} ({java.executable})"


def _jars() -> Fact:
    name = "Kafka's jars"
    manifest = read_manifest(jars_folder())
    if manifest is None:
        try:
            require_resolver()
        except EnvironmentFailed as error:
            return Fact(name, False, "not in the cache, and jgo is missing", str(error))
        return Fact(name, False, "not in the cache yet", _WILL_BE_MADE)
    if damaged := manifest.damaged(jars_folder()):
        remedy = f"Remove {jars_folder()}: the next start fetches them again."
        return Fact(name, False, f"damaged: {', '.join(map(_file_name, damaged))}", remedy)
    return Fact(name, True, f"Apache Kafka {KAFKA_VERSION}, {len(manifest.jars)} jars, sums right")


def _file_name(path: str) -> str:
    return Path(path).name


def _kafka_folder() -> Fact:
    def look() -> Fact:
        files = files_for(find_java())
        if files is None or not files.data.exists():
            return Fact("Kafka's folder", False, "not formatted yet", _WILL_BE_MADE)
        return Fact("Kafka's folder", True, str(files.data.parent))

    return _unless_failed("Kafka's folder", look)


def _aot_cache() -> Fact:
    name = "start-up cache"

    def look() -> Fact:
        java = find_java()
        if not java.makes_aot_cache:
            what = f"Java {java.major} has none: a start takes about 2 s longer"
            return Fact(name, True, what)
        files = files_for(java)
        if files is None or files.aot is None or not files.aot.exists():
            return Fact(name, False, "not made yet", _WILL_BE_MADE)
        return Fact(name, True, f"{files.aot.stat().st_size // 2**20} MiB")

    return _unless_failed(name, look)


def _postgres() -> Fact:
    def look() -> Fact:
        binaries = postgres_files().binaries
        server_user()
        return Fact("Postgres", True, f"{binaries.major} ({binaries.installation})")

    return _unless_failed("Postgres", look)


def _postgres_folder() -> Fact:
    def look() -> Fact:
        folder = postgres_files().folder
        if not folder.exists():
            return Fact("Postgres's folder", False, "not initialised yet", _WILL_BE_MADE)
        return Fact("Postgres's folder", True, str(folder))

    return _unless_failed("Postgres's folder", look)


def _cache() -> Fact:
    folder = cache_folder()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    what = f"{folder}, {free // 2**20} MiB free"
    if free < _ROOM and not folder.exists():
        return Fact("cache", False, what, f"Free {_ROOM // 2**20} MiB, or set XDG_CACHE_HOME.")
    return Fact("cache", True, what)


def _unless_failed(name: str, look: Callable[[], Fact]) -> Fact:
    try:
        return look()
    except EnvironmentFailed as error:
        what, _, remedy = str(error).partition(". ")
        return Fact(name, False, what, remedy)
