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


SELF_MADE = """
import os, sys
import psycopg, counter

with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    made = connection.execute("select to_regclass('click_counts') is null").fetchone()[0]
    open(os.environ.get("MADE", os.devnull), "a").write("made\\n" if made else "found\\n")
    connection.execute(
        "create table if not exists click_counts (code text primary key, clicks bigint)"
    )
if "fails" in sys.argv:
    sys.exit("no such revision")
counter.main(os.environ["KAFKA_BOOTSTRAP_SERVERS"], os.environ["DATABASE_URL"])
"""


def test_the_target_makes_its_tables_once_and_every_scenario_starts_from_them(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # Outside of the project, whose files are restored before each run.
    made = tmp_path_factory.mktemp("made") / "made"
    project.write("self_made.py", SELF_MADE)
    project.write("rows.sql", "insert into click_counts values ('nobody', 1)")
    project.tables["database"] = {"migrate": "target", "seed": ["rows.sql"]}
    actual = "select code, clicks from click_counts where code <> 'nobody'"
    project.change(
        {
            "target": {"command": ["{python}", "self_made.py"], "env": {"MADE": str(made)}},
            "check": {"actual": actual},
        }
    )
    ran = project.judged("run", "--at", FIRST_COMMIT)
    judged(ran.json)
    # The first start, two clean runs, and the two lives of the scenario.
    assert made.read_text() == "made\n" + "found\n" * 4


def test_a_target_that_does_not_come_to_wait_is_the_users_to_mend(project: Project) -> None:
    project.write("self_made.py", SELF_MADE)
    project.tables["database"] = {"migrate": "target"}
    project.change({"target": {"command": ["{python}", "self_made.py", "fails"]}})
    ran = project.run("run")
    assert ran.code == 2, ran
    assert "[database] migrate: the target did not make its tables" in ran.words
    assert "it ended by itself: exit 1" in ran.words


def given_to(project: Project, name: str, user: str) -> None:
    """A database, and a target that knows its name and login by heart."""
    project.change({"database": {"name": name, "user": user, "password": "s3cret"}})
    address = f"{user}:s3cret@{{postgres_host}}:{{postgres_port}}/{name}"
    project.change({"target": {"env": {"DATABASE_URL": f"postgresql://{address}"}}})


def judged(result: Any) -> None:
    (scenario,) = result["scenarios"]
    assert [run["outcome"] for run in result["clean_runs"]] == ["clean", "clean"]
    assert scenario["outcome"] == "counted twice"
