"""Several scenarios at a time, each right: on shared servers, on own ones, in two runs at once."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from killpoint.compose.ports import Ports
from tests.support.project import Project, Ran, killpoint
from tests.support.schema import assert_is_result

SAVED = 'kafka.offset_commit{topic="clicks",partition=0,offset=3}'
RIGHT = {
    "postgres.commit#1:before": "clean",
    "postgres.commit#1:after": "counted twice",
    f"{SAVED}:before": "counted twice",
    f"{SAVED}:after": "clean",
}
"""The outcome of a kill at each of these moments."""

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Six clicks in batches of three, counted and then saved."""
    project = Project(tmp_path)
    project.copy("counter")
    return project


def kills(moments: Sequence[str]) -> list[str]:
    return [word for at in moments for word in ("--at", at)]


def judged(project: Project, *words: str, moments: Sequence[str] = tuple(RIGHT)) -> Ran:
    """A run with a kill at each moment, whose results are right."""
    ran = project.judged("run", *words, *kills(moments))
    assert_right(ran.json, moments)
    return ran


def assert_right(result: Any, moments: Sequence[str]) -> None:
    scenarios = result["scenarios"]
    assert result["complete"]
    assert [one["id"] for one in scenarios] == [f"S0{n}" for n in range(1, len(moments) + 1)]
    found = {one["faults"][0]["at"]: one["outcome"] for one in scenarios}
    assert found == {at: RIGHT[at] for at in moments}, scenarios
    checks = [check for one in scenarios for check in one["checks"]]
    assert {(check["lost"], check["counted_twice"]) for check in checks} == {(0, 0), (0, 3)}


def lanes_of(ran: Ran) -> set[int]:
    return {one["lane"] for one in ran.json["scenarios"]}


def test_lanes_on_shared_servers_each_with_a_port_of_its_own(project: Project) -> None:
    project.change({"target": {"env": {"LISTEN": "{port:health}"}}})
    ran = judged(project, "--lanes", "2")
    assert lanes_of(ran) == {1, 2}
    assert "lanes 2, each with a group and a database of its own" in ran.words


def test_a_target_with_a_group_built_in_has_servers_for_each_lane(project: Project) -> None:
    project.change({"target": {"env": {"GROUP": "always-mine"}}, "run": {"lanes": 2}})
    ran = judged(project)
    assert lanes_of(ran) == {1, 2}
    assert 'servers of its own: it joins the group "always-mine" in every run' in ran.words


def test_a_port_built_in_leaves_one_lane(project: Project) -> None:
    with Ports(1) as kept:
        project.change({"target": {"env": {"LISTEN": str(kept.numbers[0])}}})
        ran = judged(project, "--lanes", "2", moments=tuple(RIGHT)[:2])
    assert lanes_of(ran) == {1}
    assert "lanes 1: the target listens on port" in ran.words


def test_two_runs_at_once_in_one_folder(project: Project) -> None:
    project.configure()
    names, moments = ("one.json", "two.json"), tuple(RIGHT)[:2]
    with ThreadPoolExecutor() as pool:
        commands = [("run", *kills(moments), "--json", name) for name in names]
        started = [pool.submit(killpoint, project.folder, *words) for words in commands]
        both = [one.result() for one in started]
    assert [ran.code for ran in both] == [0, 0], both
    results = [json.loads((project.folder / name).read_text(encoding="utf-8")) for name in names]
    assert len({result["run"] for result in results}) == 2
    for result in results:
        assert_is_result(result)
        assert_right(result, moments)
        for scenario in result["scenarios"]:
            assert (project.folder / scenario["evidence"] / "history.jsonl").exists()
