"""`killpoint` with containers as a user runs it: images as targets, and what a user gets wrong."""

import asyncio
import os
import socket
import tempfile
from pathlib import Path

import pytest

from killpoint.compose.docker_client import Client
from killpoint.compose.docker_labels import RUN
from killpoint.compose.docker_network import target_network
from killpoint.compose.docker_run import docker_run
from killpoint.compose.docker_servers import KAFKA_IMAGE, POSTGRES_IMAGE
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
# Root may use every socket, unless it gives up the right to pass over permissions.
UNPRIVILEGED = ("setpriv", "--bounding-set", "-dac_override") if os.geteuid() == 0 else ()
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


def test_a_socket_that_may_not_be_used_ends_with_4(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.copy("counter")
    project.configure()
    with socket.socket(socket.AF_UNIX) as bound, tempfile.TemporaryDirectory() as short:
        bound.bind(f"{short}/docker.sock")
        Path(f"{short}/docker.sock").chmod(0)
        closed = {"DOCKER_HOST": f"unix://{short}/docker.sock"}
        ran = killpoint(tmp_path, "run", "--stack", "docker", variables=closed, under=UNPRIVILEGED)
        told = killpoint(tmp_path, "doctor", variables=closed, under=UNPRIVILEGED)
    assert ran.code == 4
    for found in (ran, told):
        assert "this user may not use the Docker engine's socket" in found.words
        assert "usermod -aG docker" in found.words


def test_the_doctor_tells_all_of_docker(engine: Client, tmp_path: Path) -> None:
    before = labelled(engine)
    told = killpoint(tmp_path, "doctor")
    for words in (
        f"Docker found engine {engine.version()['Version']}",
        f"Kafka's image found {KAFKA_IMAGE}",
        f"Postgres's image found {POSTGRES_IMAGE}",
        "way to killpoint found a container reaches the gateway of its network",
    ):
        assert words in told.words
    for name in ("Compose", "Docker's disk"):
        assert name in told.words
    assert labelled(engine) <= before


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


async def test_down_leaves_alone_what_belongs_to_a_living_run(
    engine: Client, tmp_path: Path
) -> None:
    async with docker_run() as run:
        network = await target_network(run)
        ran = await asyncio.to_thread(killpoint, tmp_path, "down", "--all")
        assert ran.code == 0
        assert network.name in labelled(engine)
    assert network.name not in labelled(engine)


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
