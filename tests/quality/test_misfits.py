"""Consumers with an odd habit, each with its outcome, its reason and its exit code."""

import asyncio
import contextlib
import dataclasses
from pathlib import Path

import pytest

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.checks.verdict import ExitCode
from killpoint.faults.stage import Patience
from tests.support.planted import Hit, Planted
from tests.support.planted_runs import Examined, Examiner

pytestmark = pytest.mark.asyncio(loop_scope="session")
AFTER_SECOND_BATCH = "kafka.offset_commit{partition=0,offset=6}:after"


def misfit(habit: str, *hits: Hit, name: str = "", **other: object) -> Planted:
    """The consumer with a habit; its verdict is asserted by each test."""
    options = {"patience": Patience(drain_seconds=3.0, start_seconds=20.0), **other}
    return Planted(
        name=name or f"misfit-{habit}",
        program="misfit.py",
        guarantee=None,
        hits=hits,
        env={"HABIT": habit},
        **options,  # type: ignore[arg-type]
    )


def warned(examined: Examined) -> list[str]:
    return [warning.name for warning in examined.result.warnings]


async def test_a_crash_loop_after_reading_is_stuck(examiner: Examiner) -> None:
    found = await examiner.examine(misfit("crash"))
    assert found.verdict.exit_code is ExitCode.NOT_MET, str(found)
    assert found.result.clean_runs[0].outcome is Outcome.STUCK
    assert "offset 0 of misfit-crash-0" in (found.verdict.reason or ""), str(found)


async def test_a_poison_record_is_stuck_and_named(examiner: Examiner) -> None:
    found = await examiner.examine(misfit("poison"))
    assert found.verdict.exit_code is ExitCode.NOT_MET, str(found)
    assert found.result.clean_runs[0].outcome is Outcome.STUCK
    assert "offset 3 of misfit-poison-0" in (found.verdict.reason or ""), str(found)


@pytest.mark.parametrize("habit", ["drop", "truncate"])
async def test_tables_emptied_at_a_restart_are_lost_and_named(
    examiner: Examiner, habit: str
) -> None:
    found = await examiner.examine(misfit(habit, Hit(AFTER_SECOND_BATCH, Outcome.LOST)))
    assert found.result.scenarios[0].outcome is Outcome.LOST, str(found)
    assert found.result.scenarios[0].checks[0].lost == 6
    assert warned(found) == ["dropped_tables"], str(found)
    assert found.verdict.guarantee is Guarantee.AT_MOST_ONCE


async def test_rows_still_in_memory_are_inconclusive(examiner: Examiner) -> None:
    found = await examiner.examine(misfit("memory"))
    assert found.verdict.exit_code is ExitCode.INCONCLUSIVE, str(found)
    assert "nothing written: 12 events fetched" in (found.verdict.reason or "")
    assert "drain_timeout" in (found.verdict.reason or "")


async def test_rows_that_come_late_are_waited_for(examiner: Examiner) -> None:
    """Two of twelve are written two seconds after all looked done, their offset long saved."""
    held = misfit(
        "collect",
        Hit("kafka.offset_commit{partition=0,offset=12}:after", Outcome.LOST),
        patience=Patience(drain_seconds=16.0, start_seconds=20.0),
    )
    env = {**held.env, "HOLD_SECONDS": "2"}
    found = await examiner.examine(dataclasses.replace(held, env=env))
    assert found.verdict.guarantee is Guarantee.AT_MOST_ONCE, str(found)
    assert found.result.scenarios[0].checks[0].counted_twice == 0, str(found)


async def test_rows_that_never_come_by_themselves_are_inconclusive(examiner: Examiner) -> None:
    found = await examiner.examine(misfit("collect", name="misfit-collect-for-ever"))
    assert found.verdict.exit_code is ExitCode.INCONCLUSIVE, str(found)
    assert "holds rows in memory" in (found.verdict.reason or ""), str(found)
    assert "click_counts" in (found.verdict.reason or ""), str(found)


async def test_a_consumer_that_starts_at_the_end_reads_nothing(examiner: Examiner) -> None:
    found = await examiner.examine(misfit("latest", committed_start=False))
    assert found.verdict.exit_code is ExitCode.INCONCLUSIVE, str(found)
    assert "asked for the END of the topic" in (found.verdict.reason or "")
    assert 'group_start = "none"' in (found.verdict.reason or "")


async def test_a_committed_start_serves_the_same_consumer(examiner: Examiner) -> None:
    """As in production: the group has an offset, so the reset policy is not asked."""
    found = await examiner.examine(
        misfit("latest", Hit(AFTER_SECOND_BATCH, Outcome.CLEAN), name="at-end")
    )
    assert found.verdict.guarantee is Guarantee.EFFECTIVELY_ONCE, str(found)


async def test_all_events_in_one_batch_have_a_verdict_and_a_warning(examiner: Examiner) -> None:
    planted = Planted(
        name="one-batch",
        program="count_then_save.py",
        guarantee=Guarantee.AT_LEAST_ONCE,
        hits=(Hit("postgres.commit#1:after", Outcome.COUNTED_TWICE),),
        env={"BATCH_SIZE": "12"},
    )
    found = await examiner.examine(planted)
    assert found.verdict.guarantee is Guarantee.AT_LEAST_ONCE, str(found)
    assert warned(found) == ["one_batch"]
    assert found.result.scenarios[0].checks[0].counted_twice == 12


async def _listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        await reader.read()
    writer.close()


async def test_what_is_kept_elsewhere_is_named(examiner: Examiner, tmp_path: Path) -> None:
    other = await asyncio.start_server(_listen, "127.0.0.1", 0)
    port, journal = other.sockets[0].getsockname()[1], tmp_path / "journal"
    planted = misfit("elsewhere", Hit(AFTER_SECOND_BATCH, Outcome.CLEAN))
    env = {**planted.env, "OTHER_PORT": str(port), "JOURNAL": str(journal)}
    found = await examiner.examine(dataclasses.replace(planted, env=env))
    other.close()
    assert found.verdict.guarantee is Guarantee.EFFECTIVELY_ONCE, str(found)
    assert f"a connection to 127.0.0.1:{port}" in found.result.unseen
    assert f"the open file {journal}" in found.result.unseen


async def test_a_statement_that_outlives_its_client_is_explained(examiner: Examiner) -> None:
    """The INSERT was sent, and commits after the SIGKILL; the restart counts the click again."""
    sent = Hit("postgres.write#1:before", None)
    running = Hit("kafka.offset_commit{partition=0,offset=1}:before", Outcome.COUNTED_TWICE)
    found = await examiner.examine(misfit("slow", running, sent))
    assert found.result.scenarios[0].outcome is Outcome.COUNTED_TWICE, str(found)
    assert not any(scenario.unexplained for scenario in found.result.scenarios), str(found)
