"""Drained, under artificial slowness: what the weak rule reads as clean must be found.

A consumer that is slow only after a restart shows nothing on the wire while the totals are right;
a loaded machine slows down everything.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.session import examination
from killpoint.cli.session.stack import Stack
from killpoint.faults.drained import Calibration, calibrate
from tests.support.exact_table import ExactTable
from tests.support.planted import COUNTS, Hit, Planted
from tests.support.planted_runs import Examiner

OFFSETS = """
create table consumer_offsets (
    topic text, partition integer, next_offset bigint not null, primary key (topic, partition)
);
"""
LAST_COUNT = "postgres.commit#7:after"
"""The fourth batch is counted and its offset is not saved: two transactions a batch."""


def slow_recovery(name: str, seconds: float, position: str | None = None) -> Planted:
    return Planted(
        name=name,
        program="slow_recovery.py",
        guarantee=Guarantee.AT_LEAST_ONCE,
        hits=(Hit(LAST_COUNT, Outcome.COUNTED_TWICE),),
        schema=COUNTS + OFFSETS,
        env={"RECOVERY_SECONDS": str(seconds)},
        position=position,
    )


def weak(runs: list[object]) -> Calibration:
    """The weak rule alone: position at the end and 100 ms of quiet."""
    joined = calibrate(runs).join_seconds  # type: ignore[arg-type]
    return Calibration(False, True, 0.0, 0.0, joined)


@pytest.mark.asyncio(loop_scope="session")
async def test_a_slow_recovery_is_waited_for(examiner: Examiner) -> None:
    found = await examiner.examine(slow_recovery("slow-recovery", 2.0))
    assert found.result.scenarios[0].outcome is Outcome.COUNTED_TWICE, str(found)
    assert found.verdict.guarantee is Guarantee.AT_LEAST_ONCE


@pytest.mark.asyncio(loop_scope="session")
async def test_the_position_query_waits_for_any_recovery(examiner: Examiner) -> None:
    query = "select topic, partition, next_offset from consumer_offsets"
    found = await examiner.examine(slow_recovery("slow-position", 7.0, query))
    assert found.result.scenarios[0].outcome is Outcome.COUNTED_TWICE, str(found)


@pytest.mark.asyncio(loop_scope="session")
async def test_the_weak_rule_alone_reads_it_as_clean(
    examiner: Examiner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shows that the consumer above tests something."""
    monkeypatch.setattr(examination, "calibrate", weak)
    found = await examiner.examine(slow_recovery("slow-weak", 2.0))
    assert found.result.scenarios[0].outcome is Outcome.CLEAN, str(found)


@pytest.mark.asyncio(loop_scope="session")
async def test_what_the_weak_rule_reads_as_lost_stays_unexplained(
    examiner: Examiner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An audit that is too early must not pass for a restart that skipped events."""
    monkeypatch.setattr(examination, "calibrate", weak)
    before = Hit("postgres.commit#7:before", Outcome.CLEAN)
    found = await examiner.examine(replace(slow_recovery("slow-early", 10.0), hits=(before,)))
    scenario = found.result.scenarios[0]
    assert scenario.outcome is Outcome.LOST, str(found)
    assert scenario.unexplained, str(found)
    assert scenario.explained_by is None, str(found)


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.timeout(600)
async def test_a_loaded_machine_does_not_change_the_table(stack: Stack) -> None:
    table = ExactTable(stack)
    async with loaded(2 * (os.cpu_count() or 1)):
        for consumer in ("count-then-save", "save-then-count"):
            consumed = await table.consume(stack.lanes[0], consumer)
            assert consumed.wrong == []


@asynccontextmanager
async def loaded(processes: int) -> AsyncGenerator[None, None]:
    """Keep all processors busy with so many processes."""
    burners = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass")
        for _ in range(processes)
    ]
    try:
        yield
    finally:
        for burner in burners:
            with contextlib.suppress(ProcessLookupError):
                burner.kill()
            await burner.wait()
