"""`killpoint` as a user runs it: init, run, points, audit, and each kind of source and scenario."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.support.project import Project, killpoint
from tests.support.schema import assert_is_result

FIRST_COMMIT = "postgres.commit#1:after"
SECOND_COMMIT = "postgres.commit#2:after"

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Six clicks in batches of three, counted and then saved."""
    project = Project(tmp_path)
    project.copy("counter")
    return project


def damage(ran_json: Any) -> tuple[str, int, int]:
    """Outcome, lost and counted twice of the only scenario."""
    (scenario,) = ran_json["scenarios"]
    assert all(fault["reached"] for fault in scenario["faults"]), scenario
    (check,) = scenario["checks"]
    return scenario["outcome"], check["lost"], check["counted_twice"]


def test_what_init_writes_runs(tmp_path: Path) -> None:
    assert killpoint(tmp_path, "init").code == 0
    ran = killpoint(tmp_path, "run", "--limit", "2", "--json", "out.json", "--junit", "out.xml")
    assert ran.code == 0, ran
    data = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert_is_result(data)
    assert [run["outcome"] for run in data["clean_runs"]] == ["clean", "clean"]
    assert [one["outcome"] for one in data["scenarios"]] == ["clean", "clean"]
    assert data["met"] is None
    assert f"2 of {data['coverage']['moments']} moments" in ran.stdout
    assert "limited: --limit cut the sweep: 2 of " in ran.stdout
    for one in data["scenarios"]:
        assert (tmp_path / one["evidence"] / "history.jsonl").exists()
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert [len(suite.findall(f".//{tag}")) for tag in ("testcase", "failure", "error")] == [
        2,
        0,
        0,
    ]
    assert ran.last_line.startswith("exit 0")


def test_points_names_moments_that_can_be_pasted_back(project: Project) -> None:
    ran = project.run("points", "--json", "-")
    assert ran.code == 0, ran
    found = json.loads(ran.stdout)
    assert found["cycle"].startswith("fetched 0–5 → begin → 3 writes → commit → offset 3 saved")
    names = [moment["at"] for moment in found["moments"]]
    assert all(moment["required"] for moment in found["moments"])
    saved = 'kafka.offset_commit{topic="clicks",partition=0,offset=3}:before'
    assert {FIRST_COMMIT, SECOND_COMMIT, saved} <= {*names}
    again = project.judged("run", "--at", saved, "--action", "kill")
    assert damage(again.json) == ("counted twice", 0, 3)
    assert again.json["guarantee"] == "at least once"


def test_audit_is_one_clean_run(project: Project) -> None:
    ran = project.run("audit", "--json", "-")
    assert ran.code == 0, ran
    data = json.loads(ran.stdout)
    assert_is_result(data)
    assert [run["outcome"] for run in data["clean_runs"]] == ["clean"]
    assert data["scenarios"] == []
    assert data["guarantee"] is None
    assert data["bound"]["faults_per_scenario"] == 0


def test_a_requirement_that_is_not_met_is_exit_1(project: Project) -> None:
    words = ["--at", FIRST_COMMIT, "--action", "kill", "--require", "effectively once"]
    ran = project.run("run", *words, "--json", "-", "--junit", "out.xml")
    assert ran.code == 1, ran
    data = json.loads(ran.stdout)
    assert_is_result(data)
    assert damage(data) == ("counted twice", 0, 3)
    assert (data["guarantee"], data["met"]) == ("at least once", False)
    assert f"killpoint run --at '{FIRST_COMMIT}' --action kill" in ran.stderr
    suite = ElementTree.parse(project.folder / "out.xml").getroot()
    assert len(suite.findall(".//failure")) == 1
    assert ran.stderr.strip().splitlines()[-1] == "exit 1   the requirement is not met"


def test_a_listed_scenario_of_two_faults_meets_what_it_must(project: Project) -> None:
    faults = [{"at": at, "action": "kill"} for at in (FIRST_COMMIT, SECOND_COMMIT)]
    project.change({"scenario": [{"name": "two deploys", "faults": faults}]})
    project.change({"run": {"require": "at least once"}})
    ran = project.judged("run")
    assert ran.code == 0, ran
    # The first batch is repeated after the first kill, the second after the second.
    assert damage(ran.json) == ("counted twice", 0, 6)
    assert (ran.json["guarantee"], ran.json["met"]) == ("at least once", True)
    assert ran.json["bound"]["faults_per_scenario"] == 2
    assert ran.last_line == "exit 0   the requirement is met"


def test_events_of_a_file_in_three_partitions_for_a_fixed_and_new_group(project: Project) -> None:
    events = [{"partition": n % 3, "value": {"code": f"link-{n}"}} for n in range(9)]
    project.write("clicks.jsonl", "".join(f"{json.dumps(event)}\n" for event in events))
    source = {"topic": "clicks", "partitions": 3, "events": "clicks.jsonl", "group_start": "none"}
    project.change({"source": [source], "target": {"group": "click-counter"}})
    ran = project.judged("run", "--at", FIRST_COMMIT)
    assert ran.code == 0, ran
    assert damage(ran.json) == ("counted twice", 0, 3)
    frontier = ran.json["scenarios"][0]["faults"][0]["frontier"]
    assert [(place["partition"], place["end"]) for place in frontier] == [(0, 3), (1, 3), (2, 3)]


def test_programs_of_the_user_make_the_events_and_the_tables(project: Project) -> None:
    for name in ("produce", "migrate"):
        project.copy(name)
    source = {"topic": "clicks", "produce": ["{python}", "produce.py"]}
    project.change({"source": [source]})
    project.tables["database"] = {"migrate": ["{python}", "migrate.py"]}
    ran = project.judged("run", "--at", FIRST_COMMIT)
    assert ran.code == 0, ran
    assert damage(ran.json) == ("counted twice", 0, 3)
    keys = [key["key"] for key in ran.json["scenarios"][0]["checks"][0]["keys"]]
    assert keys == [{"code": f"made-{number}"} for number in range(3)]


def test_a_program_of_the_user_that_fails_is_shown(project: Project) -> None:
    project.tables["database"] = {"migrate": ["{python}", "-c", "exit('no such revision')"]}
    ran = project.run("run")
    assert ran.code == 2, ran
    assert "[database] migrate failed" in ran.stderr
    assert "no such revision" in ran.stderr


def test_a_target_that_writes_into_its_own_topic(project: Project) -> None:
    project.copy("echo")
    project.change({"target": {"command": ["{python}", "echo.py"]}})
    project.tables["check"].append(
        {
            "name": "marks are not clicks",
            "expected": "select count(*) from events where origin = 'killpoint'",
            "actual": "select 6",
        }
    )
    ran = project.judged("run", "--at", FIRST_COMMIT, "--at", "kafka.produce#1:before")
    assert ran.code == 0, ran
    assert [run["outcome"] for run in ran.json["clean_runs"]] == ["clean", "clean"]
    for scenario in ran.json["scenarios"]:
        clicks, marks = scenario["checks"]
        assert scenario["faults"][0]["reached"]
        assert (clicks["lost"], clicks["counted_twice"]) == (0, 3)
        assert marks["outcome"] == "clean"
