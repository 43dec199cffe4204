#!/usr/bin/env python3
"""Lays out what an image is made of: the jars, the Java and the Postgres of the embedded stack.

Counterpart: `build` calls it, once an image, and builds the image over the folder. Nothing here
speaks to Docker.
"""

import asyncio
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from killpoint.compose.cache import made
from killpoint.compose.java import find_java
from killpoint.compose.kafka_files import jars_folder
from killpoint.compose.kafka_jars import KAFKA_VERSION, resolve
from killpoint.compose.manifest import read_manifest
from killpoint.compose.postgres_binaries import find_postgres
from killpoint.faults.environment import EnvironmentFailed

CONSUMERS: Final = Path(__file__).resolve().parents[1] / "consumers"


def main() -> int:
    """`versions`, or the name of an image and the folder to lay it out in."""
    try:
        match sys.argv[1:]:
            case ["versions"]:
                print(versions())
            case [name, folder] if name in STAGES:
                STAGES[name](Path(folder))
            case _:
                print(f"use: stage.py versions | {'|'.join(STAGES)} FOLDER", file=sys.stderr)
                return 2
    except EnvironmentFailed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def versions() -> str:
    """What the images are made of, as assignments of a shell."""
    postgres = find_postgres()
    found = {
        "kafka": KAFKA_VERSION,
        "java": find_java().version,
        "postgres": postgres.major,
        "wheel": postgres.wheel,
    }
    return "\n".join(f"{name}={value}" for name, value in found.items())


def java(folder: Path) -> None:
    """The Java runtime."""
    home = find_java().executable.resolve().parents[1]
    shutil.copytree(home, folder / "java")


def kafka(folder: Path) -> None:
    """The broker's jars, side by side."""
    jars = asyncio.run(made(jars_folder(), _resolve, _whole))
    manifest = read_manifest(jars)
    if manifest is None:
        raise EnvironmentFailed(f"{jars} vanished while it was used. Start again.")
    target = folder / "libs"
    target.mkdir()
    for jar in manifest.jars:
        shutil.copy(jars / jar.path, target)


def postgres(folder: Path) -> None:
    """Postgres's programs, which look for the wheel's libraries three folders above their own."""
    installation = find_postgres().installation
    left_out = shutil.ignore_patterns("include", "pkgconfig", "*.a")
    shutil.copytree(installation, folder / "programs", ignore=left_out)
    libraries = installation.parent.with_name(f"{installation.parent.name}.libs")
    shutil.copytree(libraries, folder / "libraries" / libraries.name)


def samples(folder: Path) -> None:
    """The sample consumers."""
    shutil.copytree(CONSUMERS, folder / "consumers", ignore=shutil.ignore_patterns("__pycache__"))


async def _resolve(folder: Path) -> None:
    resolve(folder)


def _whole(jars: Path) -> bool:
    manifest = read_manifest(jars)
    return manifest is not None and not manifest.changed(jars)


STAGES: Final[Mapping[str, Callable[[Path], None]]] = {
    "jre": java,
    "kafka": kafka,
    "postgres": postgres,
    "samples": samples,
}

if __name__ == "__main__":
    sys.exit(main())
