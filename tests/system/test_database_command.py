"""`[database]` as a user runs it: a database and a login that the target cannot be told."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from killpoint.compose.docker_client import Client
from killpoint.compose.docker_servers import POSTGRES_IMAGE
from tests.support.project import CLICKS, SCHEMA, Project

FIRST_COMMIT = "postgres.commit#1:after"

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Six clicks in batches of three, counted and then saved."""
    project = Project(tmp_path)
    project.copy("counter")
    return project


@pytest.mark.parametrize(("name", "user"), [("postgres", "postgres"), ("shop-1", "app")])
def test_the_database_and_the_login_are_as_the_program_expects(
    project: Project, name: str, user: str
) -> None:
    """Also where they are those that killpoint works with itself."""
    given_to(project, name, user)
    ran = project.judged("run", "--at", FIRST_COMMIT)
    judged(ran.json)


def test_scripts_of_an_image_fill_the_database_of_that_name(
    engine: Client, project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    image = tmp_path_factory.mktemp("image")
    (image / "tables.sql").write_text(SCHEMA, encoding="utf-8")
    (image / "Dockerfile").write_text(
        f"FROM {POSTGRES_IMAGE}\nCOPY tables.sql /docker-entrypoint-initdb.d/\n", encoding="utf-8"
    )
    name = f"killpoint-test-{tmp_path_factory.getbasetemp().name}"
    subprocess.run(["docker", "build", "--quiet", "--tag", name, image], check=True)
    project.tables["database"] = {}
    given_to(project, "shop", "app")
    project.change({"stack": {"postgres_image": name}})
    try:
        ran = project.judged("run", "--stack", "docker", "--at", FIRST_COMMIT)
    finally:
        subprocess.run(["docker", "image", "rm", "--force", name], check=True)
    judged(ran.json)


def test_a_second_database_and_a_server_as_the_program_needs_them(project: Project) -> None:
    """Settings, an extension, rows before any event, and a database with a name of its own."""
    project.copy("two_databases")
    project.write("rows.sql", "insert into click_counts values ('nobody', 0)")
    project.write("archive.sql", "create table kept (code text)")
    archive = (
        "postgresql://{postgres_user}:{postgres_password}@{postgres_host}:{postgres_port}/kept"
    )
    project.change(
        {
            "target": {
                "command": ["{python}", "two_databases.py"],
                "env": {"COUNTS": "{postgres}", "ARCHIVE": archive},
            },
            "database": {
                "settings": {"wal_level": "logical", "max_prepared_transactions": 0},
                "extensions": ["vector"],
                "seed": ["rows.sql"],
            },
            "databases": {"archive": {"name": "kept", "schema": "archive.sql"}},
            "check": {"actual": "select code, clicks from click_counts where clicks > 0"},
        }
    )
    kept = {"name": "kept", "actual": "select code, count(*) from kept group by 1"}
    project.tables["check"].append({**CLICKS, **kept, "database": "archive"})
    between = ["--at", "postgres.commit#1:after", "--at", "postgres.commit#2:after"]
    ran = project.judged("run", *between)
    assert [run["outcome"] for run in ran.json["clean_runs"]] == ["clean", "clean"]
    found = [[check["outcome"] for check in one["checks"]] for one in ran.json["scenarios"]]
    assert found == [["counted twice", "clean"], ["counted twice", "counted twice"]]


def given_to(project: Project, name: str, user: str) -> None:
    """A database, and a target that knows its name and login by heart."""
    project.change({"database": {"name": name, "user": user, "password": "s3cret"}})
    address = f"{user}:s3cret@{{postgres_host}}:{{postgres_port}}/{name}"
    project.change({"target": {"env": {"DATABASE_URL": f"postgresql://{address}"}}})


def judged(result: Any) -> None:
    (scenario,) = result["scenarios"]
    assert [run["outcome"] for run in result["clean_runs"]] == ["clean", "clean"]
    assert scenario["outcome"] == "counted twice"
