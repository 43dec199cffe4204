"""`killpoint` with containers as a user runs it: images as targets, and what a user gets wrong."""

from pathlib import Path

import pytest

from killpoint.compose.docker_client import Client
from killpoint.compose.docker_labels import RUN
from killpoint.compose.samples_image import SAMPLES_IMAGE
from tests.support.docker import labelled
from tests.support.project import Project, killpoint

LEAKY = """
import os
import counter
from psycopg import Connection

first_life = not os.path.exists("/seen")
transaction = Connection.transaction

def leaking(connection, *words):
    if first_life and os.path.exists("/seen"):
        eaten = [bytearray(1 << 20) for _ in range(1000)]
    open("/seen", "w").close()
    return transaction(connection, *words)

Connection.transaction = leaking
counter.main(os.environ["KAFKA_BOOTSTRAP_SERVERS"], os.environ["DATABASE_URL"])
"""
IMAGE = {
    "command": ["python3", "/project/counter.py"],
    "image": SAMPLES_IMAGE,
    "volumes": [".:/project:ro"],
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.copy("counter")
    made.change({"target": IMAGE})
    return made


@pytest.mark.timeout(300)
@pytest.mark.parametrize("stack", ["docker", "embedded"])
def test_a_target_from_an_image_is_judged(engine: Client, project: Project, stack: str) -> None:
    before = labelled(engine)
    ran = project.judged("run", "--stack", stack, "--at", "postgres.commit#1:after")
    assert (ran.code, ran.json["stack"]) == (0, stack)
    (scenario,) = ran.json["scenarios"]
    assert (scenario["outcome"], ran.json["guarantee"]) == ("counted twice", "at least once")
    assert f"image {SAMPLES_IMAGE} python3 /project/counter.py" in ran.words
    logs = [*project.folder.glob(".killpoint/runs/*/start/killpoint-*-postgres-*.log")]
    assert [b"ready to accept connections" in log.read_bytes() for log in logs] == (
        [True] if stack == "docker" else []
    )
    assert labelled(engine) <= before


@pytest.mark.timeout(300)
def test_the_oom_killer_is_reported_and_the_target_audited(
    engine: Client, project: Project
) -> None:
    project.write("leaky.py", LEAKY)
    command = ["python3", "/project/leaky.py"]
    project.change({"target": {"command": command, "memory": "96m", "container": "same"}})
    ran = project.judged("audit")
    assert (ran.code, ran.json["clean_runs"][0]["outcome"]) == (0, "clean")
    (warning,) = (one for one in ran.json["warnings"] if one["name"] == "out_of_memory")
    assert "exit 137, killed by the OOM killer" in warning["text"]
    (history,) = project.folder.glob(".killpoint/runs/*/clean-1/history.jsonl")
    assert "ended by itself: exit 137, killed by the OOM killer" in history.read_text("utf-8")


def test_an_image_is_built_from_a_folder(engine: Client, project: Project) -> None:
    dockerfile = f"FROM {SAMPLES_IMAGE}\nCOPY counter.py /\nCMD python3 /counter.py\n"
    project.write("Dockerfile", dockerfile)
    project.tables["target"] = {"build": ".", "start_timeout": "10s"}
    ran = project.judged("audit")
    assert (ran.code, ran.json["clean_runs"][0]["outcome"]) == (0, "clean")
    assert "building the target's image" in ran.words


def test_a_build_that_fails_shows_its_log(engine: Client, project: Project) -> None:
    project.write("Dockerfile", f"FROM {SAMPLES_IMAGE}\nRUN echo not today && exit 3\n")
    project.tables["target"] = {"build": "."}
    ran = project.run("audit")
    assert ran.code == 2
    assert "not today" in ran.words
    assert "docker build" in ran.words


@pytest.mark.parametrize("image", ["stack", "target"])
def test_an_unknown_image_ends_with_4(engine: Client, project: Project, image: str) -> None:
    before = labelled(engine)
    unknown = "killpoint-no-such-image:1"
    changes = {"stack": {"kafka_image": unknown}, "target": {"image": unknown}}
    project.change({image: changes[image]})
    ran = project.run("run", "--stack", "docker")
    assert ran.code == 4
    assert f"the image {unknown} is not in the Docker engine and could not be pulled" in ran.words
    assert "docker load" in ran.words
    assert labelled(engine) <= before


@pytest.mark.parametrize("target", ["command", "image"])
def test_without_an_engine_docker_ends_with_4(tmp_path: Path, target: str) -> None:
    project = Project(tmp_path)
    project.copy("counter")
    project.change({"target": IMAGE if target == "image" else {}})
    nowhere = {"DOCKER_HOST": f"unix://{tmp_path}/no.sock"}
    stack = "docker" if target == "command" else "embedded"
    ran = project.run("run", "--stack", stack, variables=nowhere)
    assert ran.code == 4
    assert "no Docker engine answers" in ran.words
    assert "Start Docker" in ran.words


def test_without_an_engine_auto_is_embedded_and_says_why(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.copy("counter")
    nowhere = {"DOCKER_HOST": f"unix://{tmp_path}/no.sock"}
    ran = project.judged("audit", "--stack", "auto", variables=nowhere)
    assert (ran.code, ran.json["stack"]) == (0, "embedded")
    assert "chosen since no Docker engine answers" in ran.words


def test_a_program_that_the_image_lacks_ends_with_2(engine: Client, project: Project) -> None:
    before = labelled(engine)
    project.change({"target": {"command": ["no-such-program"]}})
    ran = project.run("audit")
    assert ran.code == 2
    assert "no-such-program" in ran.words
    assert labelled(engine) <= before


def test_down_removes_what_a_dead_run_left_and_nothing_else(engine: Client, tmp_path: Path) -> None:
    own = engine.create_container_from_config({"Image": SAMPLES_IMAGE, "Cmd": ["true"]}, "")
    left = engine.create_container_from_config(
        {"Image": SAMPLES_IMAGE, "Cmd": ["true"], "Labels": {RUN: str(tmp_path / "gone")}}, ""
    )
    try:
        kept = killpoint(tmp_path, "down")
        assert kept.code == 0
        assert engine.inspect_container(left["Id"])["Id"] == left["Id"]
        ran = killpoint(tmp_path, "down", "--all")
        assert ran.code == 0
        assert "removed" in ran.words
        found = {one["Id"] for one in engine.containers(all=True, filters={})}
        assert own["Id"] in found
        assert left["Id"] not in found
    finally:
        for made in (own, left):
            if made["Id"] in {one["Id"] for one in engine.containers(all=True, filters={})}:
                engine.remove_container(made["Id"], v=True, force=True)
