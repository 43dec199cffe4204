"""A spare on real servers: the same verdicts as without one, and a shorter restart."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from tests.support.exact_table import CONSUMERS, Consumed, ExactTable, Silence, cells
from tests.support.project import Project

EVENTS = ("commit", "offset_commit")
"""The moments at which the order of a consumer's steps shows."""

pytestmark = pytest.mark.timeout(300)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened() -> AsyncIterator[Stack]:
    async with opened_stack(1, Silence()) as stack:
        yield stack


@pytest.fixture(scope="module")
def table(opened: Stack) -> ExactTable:
    return ExactTable(opened)


def quickest(consumed: Consumed) -> float:
    """Seconds from the start, or from the standing in, to the join; the least disturbed."""
    return min(one.result.seconds.restart or 0.0 for one in consumed.shown)


def stood_in(evidence: Path) -> int:
    """How many of the kept histories tell of a spare."""
    histories = [path.read_text("utf-8") for path in evidence.rglob("S*/history.jsonl")]
    return sum("the spare stands in" in history for history in histories)


@pytest.mark.parametrize("consumer", CONSUMERS)
async def test_the_verdicts_are_those_of_the_table(
    opened: Stack, table: ExactTable, tmp_path: Path, consumer: str
) -> None:
    lane = opened.lanes[0]
    table.evidence = tmp_path
    spare = await table.consume(lane, consumer, events=EVENTS, spare=True)
    assert [one.cell for one in spare.shown] == [c for c in cells(consumer) if c.at.event in EVENTS]
    assert spare.wrong == []
    assert stood_in(tmp_path) == len(spare.shown)
    cold = await table.consume(lane, consumer, limit=2)
    assert 0 < quickest(spare) < quickest(cold)


def test_two_kills_have_two_spares_and_the_result_says_what_they_may_see(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.copy("counter")
    faults = [{"at": f"postgres.commit#{n}:after", "action": "kill"} for n in (1, 2)]
    project.change({"scenario": [{"faults": faults}], "target": {"spare": True}})
    ran = project.judged("run")
    assert ran.code == 0, ran
    (scenario,) = ran.json["scenarios"]
    (check,) = scenario["checks"]
    assert (check["lost"], check["counted_twice"]) == (0, 6)
    assert "what a spare finds when it starts" in " ".join(ran.json["unseen"])
    assert "spare started beforehand" in ran.words
    assert not [one for one in ran.json["warnings"] if one["name"] == "spare_ended"]
    evidence = tmp_path / scenario["evidence"]
    assert (evidence / "history.jsonl").read_text("utf-8").count("the spare stands in") == 2
    assert (evidence / "spare.log").exists()


ALONE = """\
import fcntl, runpy, sys
lock = open("lock", "w")
try:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    sys.exit("another one runs")
runpy.run_path("counter.py", run_name="__main__")
"""


def test_a_target_that_cannot_live_twice_is_started_again_as_without(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.copy("counter")
    project.write("alone.py", ALONE)
    project.change({"target": {"spare": True, "command": ["{python}", "alone.py"]}})
    ran = project.judged("run", "--at", "postgres.commit#2:after")
    assert ran.code == 0, ran
    (check,) = ran.json["scenarios"][0]["checks"]
    assert (check["lost"], check["counted_twice"]) == (0, 3)
    (warning,) = (one for one in ran.json["warnings"] if one["name"] == "spare_ended")
    assert "(exit 1)" in warning["text"]
    evidence = tmp_path / ran.json["scenarios"][0]["evidence"]
    assert (evidence / "spare.log").read_text("utf-8").strip() == "another one runs"
