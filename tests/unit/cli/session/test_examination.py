"""An examination from its clean runs to its verdict, on a world in memory."""

from pathlib import Path

import pytest

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.checks.verdict import Verdict
from killpoint.cli.progress import CleanRunFinished, ScenarioFinished, SweepPlanned
from killpoint.cli.result import Bound, Result
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.scenario import Fault, Scenario
from killpoint.faults.sweep import scenarios
from killpoint.faults.target import Exit
from tests.support.examined import Examined, examined, subject_in
from tests.support.fakes import Consumer, Wire

KILL = Bound(("kill",), 1)


def killed_at(*moments: str) -> list[Scenario]:
    return [
        Scenario(f"S{number:02}", (Fault(parse_moment(moment), "kill"),))
        for number, moment in enumerate(moments, 1)
    ]


async def verdict_of(
    found: Examined, *moments: str, wanted: list[Scenario] | None = None
) -> tuple[Result, Verdict]:
    await found.prepare()
    if await found.examination.clean_runs():
        await found.examination.sweep(wanted or killed_at(*moments))
    return found.examination.result(KILL)


@pytest.mark.parametrize(
    ("save_first", "guarantee"),
    [(False, Guarantee.AT_LEAST_ONCE), (True, Guarantee.AT_MOST_ONCE)],
)
async def test_the_order_of_the_steps_gives_the_guarantee(
    tmp_path: Path, save_first: bool, guarantee: Guarantee
) -> None:
    found = examined(subject_in(tmp_path), Consumer(save_first))
    first = "kafka.offset_commit#1:after" if save_first else "postgres.commit#1:after"
    result, verdict = await verdict_of(found, first)
    assert verdict.guarantee is result.guarantee is guarantee
    assert result.scenarios[0].checks[0].name == "events"


async def test_the_moments_of_the_clean_runs_are_swept(tmp_path: Path) -> None:
    found = examined(subject_in(tmp_path), Consumer())
    await found.prepare()
    assert await found.examination.clean_runs()
    moments = found.examination.found
    names = [str(moment.at) for moment in moments]
    assert "postgres.commit#2:after" in names
    assert all(moment.required for moment in moments)
    await found.examination.sweep(scenarios(moments, ("kill",)), limit=2)
    result, _ = found.examination.result(KILL)
    assert [scenario.id for scenario in result.scenarios] == ["S01", "S02"]
    assert "limited" in {warning.name for warning in result.warnings}
    assert result.coverage.moments == len(moments)
    assert result.coverage.exercised == 2


async def test_what_is_met_depends_on_the_requirement(tmp_path: Path) -> None:
    for requirement, met in ((Guarantee.AT_LEAST_ONCE, True), (Guarantee.EFFECTIVELY_ONCE, False)):
        found = examined(subject_in(tmp_path, requirement=requirement), Consumer())
        result, _ = await verdict_of(found, "postgres.commit#1:after")
        assert (result.required, result.met) == (requirement, met)


async def test_a_wrong_clean_run_ends_it_without_a_sweep(tmp_path: Path) -> None:
    class Twice(Consumer):
        async def count(self, wire: Wire, start: int) -> None:
            await super().count(wire, start)
            wire.world.database.rows[wire.database] += 1

    found = examined(subject_in(tmp_path), Twice())
    result, verdict = await verdict_of(found, "postgres.commit#1:after")
    assert [run.outcome for run in result.clean_runs] == [Outcome.COUNTED_TWICE]
    assert (result.scenarios, result.guarantee, verdict.met) == ((), None, False)


async def test_a_moment_that_does_not_come_leaves_no_guarantee(tmp_path: Path) -> None:
    found = examined(subject_in(tmp_path), Consumer())
    result, verdict = await verdict_of(found, "postgres.commit#9:after")
    assert result.scenarios[0].outcome is Outcome.INCONCLUSIVE
    assert not result.scenarios[0].faults[0].reached
    assert verdict.guarantee is None
    assert int(verdict.exit_code) == 3


async def test_what_happens_is_reported_in_order(tmp_path: Path) -> None:
    found = examined(subject_in(tmp_path), Consumer())
    await verdict_of(found, "kafka.offset_commit#1:after")
    assert [kind for kind in found.heard.kinds if kind != "Warned"] == [
        "CleanRunStarted",
        "CleanRunFinished",
        "CleanRunStarted",
        "CleanRunFinished",
        "CycleSeen",
        "SweepPlanned",
        "ScenarioStarted",
        "ScenarioFinished",
    ]
    runs = [event for event in found.heard.events if isinstance(event, CleanRunFinished)]
    assert [event.result.outcome for event in runs] == [Outcome.CLEAN] * 2
    (planned,) = [event for event in found.heard.events if isinstance(event, SweepPlanned)]
    assert planned.scenarios == 1 and planned.estimate_seconds > 0
    (done,) = [event for event in found.heard.events if isinstance(event, ScenarioFinished)]
    assert done.result.outcome is Outcome.CLEAN


async def test_every_run_has_its_own_database_and_group(tmp_path: Path) -> None:
    found = examined(subject_in(tmp_path), Consumer())
    await verdict_of(found, "postgres.commit#1:after")
    launches = found.world.target.starts
    databases = [launch.environment["DATABASE"] for launch in launches]
    groups = [launch.environment["KILLPOINT_GROUP"] for launch in launches]
    assert len(launches) == 4
    assert len(set(databases)) == len(set(groups)) == 3
    assert databases[2] == databases[3]


async def test_the_evidence_has_output_and_history_of_each_run(tmp_path: Path) -> None:
    found = examined(subject_in(tmp_path), Consumer(), evidence=True)
    result, _ = await verdict_of(found, "postgres.commit#1:after")
    folder = result.scenarios[0].evidence
    assert folder is not None
    assert (tmp_path / folder / "history.jsonl").exists()
    assert "log to target.log" in found.world.calls


async def test_an_audit_is_one_clean_run_and_names_no_guarantee(tmp_path: Path) -> None:
    found = examined(subject_in(tmp_path), Consumer(then=Exit(0)))
    await found.prepare()
    assert await found.examination.clean_runs(wanted=1)
    result, verdict = found.examination.result(Bound((), 0))
    assert len(result.clean_runs) == 1
    assert (result.guarantee, int(verdict.exit_code)) == (None, 0)


async def test_an_interrupted_examination_tells_what_it_has(tmp_path: Path) -> None:
    found = examined(subject_in(tmp_path), Consumer())
    result, _ = found.examination.result(KILL, complete=False)
    assert not result.complete
    assert (result.clean_runs, result.scenarios) == ((), ())
