"""A target that knows its addresses by a file only, on this machine and in a container."""

from pathlib import Path
from typing import Any

import pytest

from killpoint.compose.docker_client import Client
from killpoint.compose.samples_image import SAMPLES_IMAGE
from tests.support.project import Project

READER = """
import os, sys, tomllib
import counter

with open(sys.argv[1], "rb") as file:
    settings = tomllib.load(file)
assert os.environ["ONLY_IN_FILE"] == "from the file", os.environ["ONLY_IN_FILE"]
assert os.environ["BOTH"] == "from env", os.environ["BOTH"]
counter.main(settings["kafka"]["brokers"][0], settings["database"]["url"])
"""
TEMPLATE = """
[kafka]
brokers = ["{{ kafka }}"]
[database]
url = "postgresql://{{ postgres_address }}"
"""
ENV = 'ONLY_IN_FILE="from the file"\nBOTH=from the file\nDATABASE_URL=postgresql://prod/orders\n'

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.copy("counter")
    made.write("reader.py", READER)
    made.write("config.toml.j2", TEMPLATE)
    made.write("config.toml", "the user's own")
    made.write(".env", ENV)
    return made


def run(project: Project, **target: Any) -> None:
    files = [{"template": "config.toml.j2", "path": "config.toml"}]
    env = {"BOTH": "from env"}
    project.change({"target": {"env_file": ".env", "files": files, "env": env, **target}})
    ran = project.judged("run", "--at", "postgres.commit#1:after")
    (scenario,) = ran.json["scenarios"]
    assert scenario["outcome"] == "counted twice"
    assert (project.folder / "config.toml").read_text(encoding="utf-8") == "the user's own"


def test_a_process_reads_the_file_of_its_start(project: Project) -> None:
    run(project, command=["{python}", "reader.py", "{file:config.toml}"])


def test_a_container_finds_it_mounted(engine: Client, project: Project) -> None:
    run(
        project,
        command=["python3", "/project/reader.py", "{file:config.toml}"],
        image=SAMPLES_IMAGE,
        volumes=[".:/project:ro"],
    )
