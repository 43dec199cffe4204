"""A service of a compose file such as people have, as the target; and what a user gets wrong.

The file has every name, port and password built in, publishes ports and names its containers. It is
not changed, and what the user has started of it goes on.
"""

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from killpoint.compose.docker_client import Client
from killpoint.compose.docker_labels import RUN
from killpoint.compose.ports import Ports
from tests.support.docker import images
from tests.support.project import KILLPOINT, Project

SHOP: Final = Path(__file__).parent / "shop"
REDIS: Final = "redis:7"
LIMIT_SECONDS: Final = 60
LOST = "postgres.commit#1:before"
KEPT = "postgres.commit#1:after"


@pytest.fixture
def shop(engine: Client, tmp_path: Path) -> Iterator[Project]:
    """The project in a folder of its own, and names of its own; nothing is left of its run."""
    if not any(REDIS in tags for tags in images(engine)):
        pytest.skip(f"compose projects are not tested: no {REDIS} (compose/images/build)")
    if compose(tmp_path, "version").returncode:
        pytest.skip("compose projects are not tested: no Compose (compose/images/compose-plugin)")
    folder = tmp_path / "shop"
    shutil.copytree(SHOP, folder)
    project = Project(folder)
    project.tables["target"] = {"compose": "compose.yaml", "service": "counter"}
    del project.tables["database"]
    with Ports(3) as reserved:
        names = ("KAFKA_PORT", "DB_PORT", "REDIS_PORT")
        ports = [f"{name}={port}" for name, port in zip(names, reserved.numbers, strict=True)]
    lines = [f"NAME=shop-{secrets.token_hex(4)}", *ports]
    project.write(".env", "\n".join(lines) + "\n")
    yield project


def compose(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """What the user does with Compose."""
    return subprocess.run(
        ["docker", "compose", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )


@contextmanager
def own_redis(folder: Path) -> Generator[None]:
    """The user's own stack, as far as it runs: its Redis, with something in it."""
    try:
        done = compose(folder, "up", "--detach", "--wait", "redis")
        assert done.returncode == 0, done.stderr
        assert compose(folder, "exec", "-T", "redis", "redis-cli", "set", "mine", "1").stdout
        before = compose(folder, "ps", "--format", "json").stdout
        yield
        after = compose(folder, "ps", "--format", "json").stdout
        assert _lasting(after) == _lasting(before)
        assert compose(folder, "exec", "-T", "redis", "redis-cli", "keys", "*").stdout == "mine\n"
    finally:
        compose(folder, "down", "--volumes", "--timeout", "1")


def _lasting(shown: str) -> list[tuple[str, str]]:
    found = [json.loads(line) for line in shown.splitlines()]
    return [(one["ID"], one["Name"]) for one in found]


@pytest.mark.timeout(300)
def test_a_service_is_judged_beside_the_users_own_stack(shop: Project) -> None:
    text = (shop.folder / "compose.yaml").read_bytes()
    with own_redis(shop.folder):
        ran = shop.judged("run", "--at", LOST, "--at", KEPT)
    assert (ran.code, ran.json["guarantee"]) == (0, "at most once"), ran.words
    assert [one["outcome"] for one in ran.json["clean_runs"]] == ["clean", "clean"]
    assert [one["outcome"] for one in ran.json["scenarios"]] == ["lost", "clean"]
    assert ran.json["unseen"] == ["not watched: redis", "a connection to redis:6379"]
    assert "Kafka is kafka:9092, Postgres db:5432; first migrate; beside it redis" in ran.words
    assert lives(shop, "clean-2") == ["life 1 with this volume"]
    assert lives(shop, "S01")[:2] == ["life 1 with this volume", "life 2 with this volume"]
    assert (shop.folder / "compose.yaml").read_bytes() == text
    said = [*shop.folder.glob(".killpoint/runs/*/start/*redis*.log")]
    assert said and "Ready to accept connections" in said[0].read_text("utf-8")


def lives(shop: Project, scenario: str) -> list[str]:
    """What the target said in a scenario."""
    (log,) = shop.folder.glob(f".killpoint/runs/*/{scenario}/target.log")
    return [line for line in log.read_text("utf-8").splitlines() if line.startswith("life")]


@pytest.mark.timeout(300)
def test_the_files_own_postgres_is_kept_with_its_scripts(shop: Project) -> None:
    file = shop.folder / "compose.yaml"
    text = file.read_text("utf-8")
    scripts = '"db-data:/var/lib/postgresql", "./migrations:/docker-entrypoint-initdb.d:ro"'
    text = text.replace('"db-data:/var/lib/postgresql"', scripts)
    file.write_text(text.replace("--file=/migrations/1.sql", "--command=select 1"), "utf-8")
    shop.change({"stack": {"postgres": "compose"}})
    ran = shop.judged("audit", "--stack", "auto")
    assert (ran.code, ran.json["stack"]) == (0, "docker"), ran.words
    assert ran.json["clean_runs"][0]["outcome"] == "clean"
    assert "the Postgres of compose.yaml" in ran.words


def mistaken(shop: Project, *words: str) -> None:
    ran = shop.run("run")
    assert ran.code == 2, ran.words
    for word in words:
        assert word in ran.words


def test_a_service_that_is_not_there_ends_with_2(shop: Project) -> None:
    shop.change({"target": {"service": "countr"}})
    mistaken(shop, "has no service countr", "counter, db, kafka")


def test_two_that_look_like_kafka_end_with_2(shop: Project) -> None:
    text = (shop.folder / "compose.yaml").read_text("utf-8")
    second = "services:\n  second:\n    image: bitnami/kafka:3.9\n"
    shop.write("compose.yaml", text.replace("services:\n", second, 1))
    mistaken(shop, "2 services that look like Kafka (kafka, second)", "answer_at = { kafka =")


def test_a_file_that_compose_refuses_ends_with_2(shop: Project) -> None:
    shop.write("compose.yaml", "services:\n  counter:\n    imag: x\n")
    mistaken(shop, "cannot be read by Compose", "imag", "docker compose --file compose.yaml")


def test_a_migration_that_fails_ends_with_2_and_its_log(shop: Project) -> None:
    shop.write("migrations/1.sql", "create table oh no;\n")
    mistaken(shop, "migrate failed: exit", "syntax error")


def test_a_service_that_ends_by_itself_has_to_be_said(shop: Project) -> None:
    text = (shop.folder / "compose.yaml").read_text("utf-8")
    shop.write("compose.yaml", text.replace("service_completed_successfully", "service_started"))
    mistaken(shop, "migrate ended in good order", '[target] once = ["migrate"]')


def test_without_compose_it_ends_with_4(shop: Project, tmp_path: Path) -> None:
    nowhere = tmp_path / "bin"
    nowhere.mkdir()
    (nowhere / "python3").symlink_to(sys.executable)
    for variables, words in (
        ({"PATH": str(nowhere)}, "the command docker is not on the PATH"),
        ({"DOCKER_CONFIG": str(nowhere), "HOME": str(nowhere)}, "docker compose does not answer"),
    ):
        ran = shop.run("run", variables=variables)
        assert ran.code == 4, ran.words
        assert words in ran.words
        assert "docker-compose-plugin" in ran.words


@pytest.mark.timeout(300)
def test_after_a_sigkill_the_next_start_removes_what_was_left(
    engine: Client, shop: Project
) -> None:
    shop.configure()
    with tempfile.TemporaryDirectory(prefix="kpt") as temporary:
        Path(temporary).chmod(0o711)
        variables = {**os.environ, "TMPDIR": temporary, "KILLPOINT_STACK": "embedded"}
        killed = subprocess.Popen(
            [str(KILLPOINT), "run"],
            cwd=shop.folder,
            env=variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert killed.stderr is not None
        said: list[str] = []
        for line in killed.stderr:
            said.append(line)
            if line.startswith("clean run 1"):
                break
        killed.kill()
        killed.wait()
        rest = killed.stderr.read()
        killed.stderr.close()
        assert left(engine, temporary), "".join(said) + rest
        done = subprocess.run(
            [str(KILLPOINT), "down"],
            cwd=shop.folder,
            env=variables,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert left(engine, temporary) == []


def left(engine: Client, temporary: str) -> list[str]:
    """Everything in the engine that carries the mark of a run in that temporary folder."""
    filters = {"label": [RUN]}
    volumes = engine.volumes(filters=filters).get("Volumes") or ()
    found: list[dict[str, Any]] = [
        *engine.containers(all=True, filters=filters),
        *engine.networks(filters=filters),
        *volumes,
    ]
    labels: list[dict[str, str]] = [one["Labels"] or {} for one in found]
    return [one[RUN] for one in labels if one.get(RUN, "").startswith(temporary)]
