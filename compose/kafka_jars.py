"""The broker's jars: Apache Kafka from Maven Central, resolved by jgo into the cache.

Counterpart: `kafka_files` prepares a broker from them. Run as a module it resolves into the folder
given, so that the download is a process that can be ended at any time.
"""

import importlib.util
import logging
import sys
import zipfile
from pathlib import Path
from typing import Final

from killpoint.compose.manifest import manifest_of, write_manifest
from killpoint.compose.remedy import INSTALL_EMBEDDED
from killpoint.faults.environment import EnvironmentFailed

KAFKA_VERSION: Final = "4.3.1"
# The broker logs through slf4j and brings no backend; the simple one writes to standard error.
COORDINATES: Final = (
    f"org.apache.kafka:kafka_2.13:{KAFKA_VERSION}",
    "org.slf4j:slf4j-simple:1.7.36",
)
_TIMEOUT: Final = 60


def require_resolver() -> None:
    """Raises EnvironmentFailed where jgo is not installed."""
    if importlib.util.find_spec("jgo") is None:
        raise EnvironmentFailed(
            "the broker's jars are not in the cache, and jgo, which fetches them, is not "
            f"installed. {INSTALL_EMBEDDED}"
        )


def resolve(folder: Path) -> None:
    """Fetch the jars into `folder` (laid out as a Maven repository) and write their manifest.

    Raises whatever jgo raises, and BadZipFile for a jar that came damaged: jgo only warns then.
    """
    from jgo.maven import MavenContext

    context = MavenContext(repo_cache=folder, timeout=_TIMEOUT)
    wanted = [context.create_dependency(coordinate) for coordinate in COORDINATES]
    roots, others = context.resolver.resolve(wanted)
    paths = [Path(dependency.artifact.resolve()) for dependency in [*roots, *others]]
    for path in paths:
        _require_whole(path)
    write_manifest(folder, manifest_of(folder, paths))


def _require_whole(path: Path) -> None:
    with zipfile.ZipFile(path) as jar:
        damaged = jar.testzip()
    if damaged is not None:
        raise zipfile.BadZipFile(f"{path.name} came damaged (at {damaged})")


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    resolve(Path(sys.argv[1]))
