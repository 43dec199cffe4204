"""Crash states stand for their moments, and where they do not, that is found or said."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

from killpoint.checks.outcome import Outcome
from killpoint.cli.config.load import load_project
from killpoint.cli.result import Bound, Result
from killpoint.cli.session.evidence import Evidence, new_run_id
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.subject import Subject, sample_subject, subject_of
from killpoint.cli.session.topics import Topics
from killpoint.compose.consumers.catalogue import SAMPLES, Sample, clicks
from killpoint.compose.ports import LOOPBACK
from killpoint.faults.depth import Depth, Selection, selected
from killpoint.faults.depth_plan import DepthPlan
from tests.support.exact_table import Silence
from tests.support.project import Project

EVENTS, SEEDS = 6, 100
KILL = ("kill",)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def lanes() -> AsyncIterator[Stack]:
    async with opened_stack(2, Silence()) as stack:
        yield stack


def examination(
    lanes: Stack, subject: Subject, folder: Path, only: int | None = None
) -> Examination:
    run = f"{new_run_id()}-{subject.name}"
    topics = Topics(subject, lanes.environment)
    return Examination(
        lanes, lanes.lanes[:only], subject, Silence(), run, topics, Evidence(folder, run)
    )


async def swept(found: Examination, depth: Depth, seed: str = "1") -> tuple[DepthPlan, Result]:
    """The rest of an examination whose clean runs were made."""
    wanted = Selection(depth, KILL, seed)
    plan = DepthPlan(found.found, wanted, None, found.durability, found.extent)
    await found.sweep(plan)
    return plan, found.result(Bound(KILL, 1, depth))[0]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
async def test_no_two_moments_of_a_state_differ(
    lanes: Stack, sample: Sample, tmp_path: Path
) -> None:
    await lanes.environment.broker.delete_topics(["clicks"])
    subject = sample_subject(sample, partial(clicks, count=EVENTS))
    found = examination(lanes, subject, tmp_path)
    try:
        await found.prepare()
        assert await found.clean_runs()
        plan, result = await swept(found, Depth.MOMENTS)
    finally:
        await found.close()
    assert plan.difference is None
    assert len(result.scenarios) == result.coverage.moments > result.coverage.crash_states
    required = {m.state for m in found.found if m.required}
    assert len(required) <= result.coverage.crash_states_exercised
    assert all(scenario.crash_state and scenario.class_ for scenario in result.scenarios)


async def test_what_no_wire_shows_is_found_by_a_second_moment(lanes: Stack, tmp_path: Path) -> None:
    store = await asyncio.start_server(_Store().serve, LOOPBACK)
    port: int = store.sockets[0].getsockname()[1]
    project = Project(tmp_path)
    project.copy("hidden_claim")
    project.change({"target": {"command": ["{python}", "hidden_claim.py"]}})
    project.change({"target": {"env": {"STORE": f"{LOOPBACK}:{port}"}}})
    project.change({"source": {"topic": "hidden"}})
    project.configure()
    found = examination(lanes, subject_of(load_project(tmp_path), seed="1"), tmp_path, only=1)
    try:
        await found.prepare()
        assert await found.clean_runs()
        seed = next(s for s in map(str, range(SEEDS)) if "postgres.commit#1:before" in at(found, s))
        plan, result = await swept(found, Depth.STATES, seed)
    finally:
        await found.close()
        store.close()
        await store.wait_closed()
    assert plan.difference is not None
    assert len(result.scenarios) == result.coverage.moments
    assert Outcome.LOST in {scenario.outcome for scenario in result.scenarios}
    assert f"a connection to {LOOPBACK}:{port}" in result.unseen
    assert result.coverage.assumed


def at(found: Examination, seed: str) -> list[str]:
    chosen = selected(found.found, Selection(Depth.STATES, KILL, seed))
    return [str(scenario.faults[0].at) for scenario in chosen]


class _Store:
    """What a Redis would be: it keeps the words that it is told, whoever asks."""

    def __init__(self) -> None:
        self._words: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                word = line.decode().strip()
                if word != "claimed":
                    self._words.append(word)
                writer.write((" ".join(self._words) + "\n").encode())
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()


def test_a_file_that_the_target_changes_belongs_to_the_state(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.copy("filed_position")
    project.change({"target": {"command": ["{python}", "filed_position.py"]}})
    ran = project.judged("run", "--depth", "states")
    assert ran.json["guarantee"] == "no guarantee", ran.words
    warnings = [warning["name"] for warning in ran.json["warnings"]]
    assert "states_differ" not in warnings, ran.words
    states = [scenario["crash_state"] for scenario in ran.json["scenarios"]]
    assert any("place.txt" in state for state in states)
    assert any("place.txt" in text for text in ran.json["unseen"])
    assert not (tmp_path / "place.txt").exists()
