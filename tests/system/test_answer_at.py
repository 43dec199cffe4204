"""A target whose addresses stand in its code: killpoint answers just there."""

import socket
from pathlib import Path

import pytest

from killpoint.compose.ports import Ports
from tests.support.project import Project

FIXED = """
import counter

counter.main("localhost:{kafka}", "postgresql://app:secret@127.0.0.1:{postgres}/shop")
"""

pytestmark = pytest.mark.timeout(180)


def fixed(folder: Path, kafka: int, postgres: int) -> Project:
    project = Project(folder)
    project.copy("counter")
    project.write("fixed.py", FIXED.format(kafka=kafka, postgres=postgres))
    answer_at = {"kafka": f"localhost:{kafka}", "postgres": f"127.0.0.1:{postgres}"}
    target = {"command": ["{python}", "fixed.py"], "answer_at": answer_at}
    account = {"name": "shop", "user": "app", "password": "secret"}
    project.change({"target": target, "database": account})
    return project


def test_addresses_in_the_code_lead_to_killpoint(tmp_path: Path) -> None:
    with Ports(2) as reserved:
        # Kept until the end: nobody else is given them, and killpoint may still listen there.
        kafka, postgres = reserved.numbers
        ran = fixed(tmp_path, kafka, postgres).judged("run", "--at", "postgres.commit#1:after")
    (scenario,) = ran.json["scenarios"]
    assert scenario["outcome"] == "counted twice"


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, Ports(1) as reserved:
        port: int = taken.getsockname()[1]
        ran = fixed(tmp_path, port, reserved.numbers[0]).run("run")
    assert ran.code == 4, ran
    assert f"killpoint cannot listen on 127.0.0.1:{port}" in ran.words
    assert f"has the port {port}" in ran.words
