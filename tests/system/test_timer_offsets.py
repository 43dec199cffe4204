"""A client's defaults, as a user runs a program with them: the sweep finds what its timer loses."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.planted import CONSUMERS
from tests.support.project import Project

pytestmark = pytest.mark.timeout(280)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Six clicks, which take milliseconds; the client's timer saves offsets every five seconds."""
    project = Project(tmp_path)
    program = CONSUMERS / "client_defaults.py"
    project.write("counter.py", program.read_text(encoding="utf-8"))
    return project


def test_the_first_clean_run_shows_the_timer_and_the_sweep_meets_it(project: Project) -> None:
    ran = project.judged("run", "--depth", "classes", "--limit", "3")
    result: Any = ran.json
    assert result["guarantee"] == "no guarantee", ran.stderr
    names = [warning["name"] for warning in result["warnings"]]
    assert "late_offsets" in names and "unsaved_offsets" not in names
    (passed,) = [s for s in result["scenarios"] if s["faults"][0]["action"] == "overtake"]
    assert passed["outcome"] == "lost"
    assert not passed["unexplained"]
    (check,) = passed["checks"]
    assert (check["lost"], check["counted_twice"]) == (1, 0)
    assert passed["faults"][0]["at"] == "postgres.commit#3:before"
    assert passed["crash_state"] == "offsets clicks-0:3; transactions 1–2"
    (place,) = passed["faults"][0]["frontier"]
    assert (place["fetched"], place["committed"]) == (6, 3)
