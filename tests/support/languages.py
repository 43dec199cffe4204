"""Consumers in other languages, built on this machine: a Go program, and images of Go and of Java.

Counterparts: the sources in `tests/quality/consumers`. A test is skipped, with the reason, where
the compiler or what it needs cannot be had.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest
from jgo.maven import MavenContext

from killpoint.compose.docker_client import Client
from killpoint.compose.kafka_jars import KAFKA_VERSION
from tests.support.docker import images
from tests.support.planted import CONSUMERS

LIMIT_SECONDS: Final = 400
JRE_IMAGE: Final = "killpoint-jre:local"
CLIENT_JARS: Final = (
    f"org.apache.kafka:kafka-clients:{KAFKA_VERSION}",
    "org.slf4j:slf4j-nop:1.7.36",
    "org.postgresql:postgresql:42.7.8",
)
GO_DOCKERFILE: Final = 'FROM scratch\nCOPY orders /orders\nENTRYPOINT ["/orders"]\n'
JAVA_DOCKERFILE: Final = (
    f"FROM {JRE_IMAGE}\nCOPY app /app\n"
    'CMD ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", "/app:/app/*", "Orders"]\n'
)


def go_program(folder: Path) -> Path:
    """The Go consumer as a static program below `folder`."""
    go = _program("go", "a Go consumer")
    source = CONSUMERS / "go"
    fetched = _run([go, "mod", "download"], source)
    if fetched.returncode != 0:
        pytest.skip(f"a Go consumer is not tested: go mod download: {fetched.stderr.strip()}")
    program = folder / "orders"
    _must([go, "build", "-trimpath", "-o", str(program), "."], source, {"CGO_ENABLED": "0"})
    return program


def go_image(_: Client, folder: Path, name: str) -> None:
    """An image with nothing but the Go consumer."""
    go_program(folder)
    _image(folder, name, GO_DOCKERFILE)


def java_image(engine: Client, folder: Path, name: str) -> None:
    """An image of the Java consumer, over the local image with a Java runtime."""
    javac = _program("javac", "a Java consumer")
    if all(JRE_IMAGE not in tags for tags in images(engine)):
        pytest.skip(f"a Java consumer is not tested: no {JRE_IMAGE} (compose/images/build)")
    app = folder / "app"
    app.mkdir()
    for jar in _jars(folder / "maven"):
        shutil.copy(jar, app)
    source = CONSUMERS / "java" / "Orders.java"
    _must([javac, "--release", "17", "-cp", f"{app}/*", "-d", str(app), str(source)], folder)
    _image(folder, name, JAVA_DOCKERFILE)


def remove_image(name: str) -> None:
    """Remove an image that was built here."""
    _must(["docker", "image", "rm", "--force", name], Path.cwd())


def _jars(folder: Path) -> Iterable[Path]:
    context = MavenContext(repo_cache=folder)
    try:
        wanted = [context.create_dependency(coordinate) for coordinate in CLIENT_JARS]
        roots, others = context.resolver.resolve(wanted)
        return [Path(dependency.artifact.resolve()) for dependency in [*roots, *others]]
    except Exception as error:  # jgo's resolver raises what its transport raises
        pytest.skip(f"a Java consumer is not tested: its jars cannot be had: {error}")


def _image(folder: Path, name: str, dockerfile: str) -> None:
    docker = _program("docker", "an image of one's own")
    (folder / "Dockerfile").write_text(dockerfile, encoding="utf-8")
    (folder / ".dockerignore").write_text("maven\n", encoding="utf-8")
    _must([docker, "build", "--force-rm", "--tag", name, str(folder)], folder)


def _program(name: str, what: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{what} is not tested: no {name} on the PATH")
    return found


def _must(command: list[str], folder: Path, variables: dict[str, str] | None = None) -> None:
    done = _run(command, folder, variables)
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"


def _run(
    command: list[str], folder: Path, variables: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(variables or {})},
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
