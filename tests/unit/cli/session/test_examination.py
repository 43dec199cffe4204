"""An examination from its clean runs to its verdict, on a world in memory."""

import asyncio
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pytest

from killpoint.checks.baseline import CleanRunCheck
from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.checks.verdict import Verdict
from killpoint.cli.progress import (
    CleanRunFinished,
    LanesChosen,
    ScenarioFinished,
    ScenarioStarted,
    SweepPlanned,
)
from killpoint.cli.result import Bound, Result
from killpoint.faults import stage
from killpoint.faults.events import ProduceAnswered, ProduceAsked
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.plan import Listed
from killpoint.faults.position import Span
from killpoint.faults.scenario import Fault, Scenario
from killpoint.faults.sweep import scenarios
from killpoint.faults.target import Exit, TargetError
from tests.support.examined import Examined, examined, subject_in
from tests.support.fakes import PLACE, Consumer, Life, Wire

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
        await found.examination.sweep(Listed(wanted or killed_at(*moments)))
    return found.examination.result(KILL)


async def in_two_lanes(folder: Path, life: Life | None = None) -> Examined:
    """An examination whose clean runs are over, with two lanes at work."""
    found = examined(subject_in(folder), life or Consumer(), lanes=2)
    await found.prepare()
    found.world.target.own_group = True
    assert await found.examination.clean_runs()
    found.share(2)
    return found


async def test_every_lane_has_the_patience_that_the_clean_runs_taught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "SLOWER_STARTS", 1e6)
    found = await in_two_lanes(tmp_path)
    taught = [runner.stage.patience.start_seconds for runner in found.examination.runners]
    calibration = found.examination.calibration
    assert calibration is not None
    assert taught[0] == taught[1] >= 1e6 * calibration.join_seconds


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
    await found.examination.sweep(Listed(scenarios(moments[:2], ("kill",))))
    result, _ = found.examination.result(KILL)
    assert [scenario.id for scenario in result.scenarios] == ["S01", "S02"]
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
    came = ("TargetStarted", "TargetJoined")
    assert [kind for kind in found.heard.kinds if kind != "Warned"] == [
        "CleanRunStarted",
        *came,
        "CleanRunFinished",
        "CleanRunStarted",
        *came,
        "CleanRunFinished",
        "CycleSeen",
        "SweepPlanned",
        "ScenarioStarted",
        *came,
        *came,
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


async def test_two_lanes_share_the_scenarios_and_the_result_keeps_their_order(
    tmp_path: Path,
) -> None:
    found = await in_two_lanes(tmp_path)
    wanted = scenarios(found.examination.found, ("kill",))[-8:]
    await found.examination.sweep(Listed(wanted))
    result, verdict = found.examination.result(KILL)
    assert [scenario.id for scenario in result.scenarios] == [one.id for one in wanted]
    assert all(scenario.reached for scenario in result.scenarios)
    assert {scenario.lane for scenario in result.scenarios} == {1, 2}
    assert verdict.guarantee is Guarantee.AT_LEAST_ONCE
    databases = [launch.environment["DATABASE"] for launch in found.house.targets[1].starts]
    assert not {*databases} & {
        launch.environment["DATABASE"] for launch in found.world.target.starts
    }
    begun = [event for event in found.heard.events if isinstance(event, ScenarioStarted)]
    assert [event.index for event in begun] == list(range(1, len(wanted) + 1))


async def test_what_one_lane_fails_with_ends_all_and_what_was_finished_is_known(
    tmp_path: Path,
) -> None:
    found = await in_two_lanes(tmp_path)
    found.house.targets[1].refusal = TargetError("no such program")
    with pytest.raises(TargetError, match="no such program"):
        await found.examination.sweep(Listed(scenarios(found.examination.found, ("kill",))))
    assert found.examination.finished == []
    assert not any(name.endswith(("_1_3", "_2_1")) for name in found.world.database.rows)
    await found.examination.close()
    assert found.world.calls.count("close target") == 2


async def test_an_interrupted_sweep_keeps_what_was_finished(tmp_path: Path) -> None:
    found = await in_two_lanes(tmp_path)
    wanted = scenarios(found.examination.found, ("kill",))[-8:]
    sweep = asyncio.ensure_future(found.examination.sweep(Listed(wanted)))
    found.heard.then = lambda event: isinstance(event, ScenarioFinished) and sweep.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sweep
    result, _ = found.examination.result(KILL, complete=False)
    assert 1 <= len(result.scenarios) <= 2 < len(wanted)
    assert all(scenario.reached for scenario in result.scenarios)
    assert not result.complete


@dataclass(slots=True)
class Retrying(Consumer):
    """In the first scenario of the second lane it writes to a topic, once it has been killed."""

    async def __call__(self, wire: Wire) -> Exit:
        restarted = wire.world.broker.offsets[wire.group].get(PLACE, 0) > 0
        if restarted and wire.database.endswith("_2_1"):
            retry = (Span("retry", 0, 0, 1),)
            await wire.ask("kafka", ProduceAsked(900, None, retry), opens=(900,))
            await wire.answer("kafka", ProduceAnswered(900, None, retry), closes=(900,))
        return await Consumer.__call__(self, wire)


async def test_a_target_that_writes_to_a_topic_only_after_a_crash_goes_on_in_one_lane(
    tmp_path: Path,
) -> None:
    found = await in_two_lanes(tmp_path, Retrying())
    wanted = killed_at(*["kafka.offset_commit#1:after", "postgres.commit#2:after"] * 2)
    await found.examination.sweep(Listed(wanted))
    result, _ = found.examination.result(KILL)
    assert [scenario.id for scenario in result.scenarios] == ["S01", "S02", "S03", "S04"]
    outcomes = [Outcome.CLEAN, Outcome.COUNTED_TWICE]
    assert [scenario.outcome for scenario in result.scenarios] == outcomes * 2
    (said,) = [event for event in found.heard.events if isinstance(event, LanesChosen)]
    assert 'S02 the target wrote to the topic "retry"' in said.text
    assert "delete topics clicks, retry" in found.world.calls
    at = found.world.calls.index("delete topics clicks, retry")
    asked = [call.split()[1] for call in found.world.calls[at:] if call.startswith("query ")]
    runs = [database for database, _ in groupby(asked)]
    assert len(runs) == len(set(runs)) > 1, "runs after the reset are not one at a time"


@pytest.mark.parametrize(
    ("save_first", "guarantee"),
    [(False, Guarantee.AT_LEAST_ONCE), (True, Guarantee.AT_MOST_ONCE)],
)
async def test_without_sql_the_tables_give_the_same_guarantee(
    tmp_path: Path, save_first: bool, guarantee: Guarantee
) -> None:
    subject = subject_in(tmp_path, checks=(), against=(CleanRunCheck("tables"),))
    found = examined(subject, Consumer(save_first))
    first = "kafka.offset_commit#1:after" if save_first else "postgres.commit#1:after"
    result, _ = await verdict_of(found, first)
    assert result.guarantee is guarantee
    names = [warning.name for warning in result.warnings]
    assert "against_clean_run" in names and "could_cancel" not in names
    assert result.against is not None
    (table,) = result.against.tables
    assert (table.table, table.known_by, table.rows) == ("counted", ("name",), 1)
    ((difference,), exposure) = (
        result.scenarios[0].checks[0].keys,
        result.scenarios[0].checks[0].exposure,
    )
    assert difference.key == {"table": "counted", "name": "all", "column": "total"}
    assert exposure is None
