"""The audit of one database: every check counted, and none that fails is a pass."""

from collections.abc import Sequence

import pytest

from killpoint.checks.baseline import CleanRunCheck
from killpoint.checks.check import Check
from killpoint.checks.comparison import CheckOutcome
from killpoint.checks.ledger import Ledger
from killpoint.checks.outcome import Outcome
from killpoint.checks.totals import Totals
from killpoint.cli.session.audit import Audit, Auditor
from killpoint.faults.environment import QueryFailed
from tests.support.examined import COUNTED, clicks
from tests.support.fakes import FakeDatabase


async def no_program(check: Check, ledger: Ledger) -> Totals:
    raise AssertionError(f"{check.name} has no program")


def auditor_of(
    checks: Sequence[Check], database: FakeDatabase, against: Sequence[CleanRunCheck] = ()
) -> Auditor:
    return Auditor(checks, against, database, no_program)


async def audit_of(rows: int, *checks: Check) -> Audit:
    database = FakeDatabase([], {"db": rows})
    database.answers["broken"] = QueryFailed('relation "x" does not exist\nLINE 1: select')
    auditor = auditor_of(checks or (COUNTED,), database)
    await auditor.use(Ledger(clicks(6)))
    return await auditor.audit("db")


@pytest.mark.parametrize(
    ("rows", "outcome", "suspicious"),
    [
        (6, Outcome.CLEAN, False),
        (5, Outcome.LOST, True),
        (7, Outcome.COUNTED_TWICE, False),
    ],
)
async def test_the_outcome_and_whether_waiting_could_change_it(
    rows: int, outcome: Outcome, suspicious: bool
) -> None:
    audit = await audit_of(rows)
    assert (audit.outcome, audit.suspicious, audit.reason) == (outcome, suspicious, None)


async def test_equal_findings_are_equal_audits() -> None:
    assert await audit_of(5) == await audit_of(5)
    assert await audit_of(5) != await audit_of(4)


async def test_a_query_that_fails_is_inconclusive_with_its_reason() -> None:
    audit = await audit_of(6, COUNTED, Check("second", COUNTED.expected, "broken"))
    assert [found.outcome for _, found in audit.found] == [Outcome.CLEAN, Outcome.INCONCLUSIVE]
    assert audit.suspicious
    assert 'check "second"' in (audit.reason or "")
    assert 'relation "x" does not exist' in (audit.reason or "")


async def test_an_expected_query_that_fails_is_inconclusive() -> None:
    audit = await audit_of(6, Check("wrong", "select nothing from events", "select 1"))
    assert audit.outcome is not Outcome.CLEAN
    assert audit.reason


async def test_a_snapshot_has_the_actual_totals_of_each_check() -> None:
    database = FakeDatabase([], {"db": 4})
    database.answers["broken"] = QueryFailed("no")
    auditor = auditor_of((COUNTED, Check("second", COUNTED.expected, "broken")), database)
    first, second = await auditor.snapshot("db")
    assert first is not None and second is None


async def test_the_next_ledger_replaces_the_first() -> None:
    auditor = auditor_of((COUNTED,), FakeDatabase([], {"db": 6}))
    await auditor.use(Ledger(clicks(6)))
    assert (await auditor.audit("db")).outcome is Outcome.CLEAN
    await auditor.use(Ledger(clicks(7)))
    assert (await auditor.audit("db")).outcome is Outcome.LOST


def test_both_is_suspicious_too() -> None:
    found = CheckOutcome(Outcome.BOTH, None, None)
    assert Audit((("a", found),)).suspicious


async def test_tables_are_compared_with_what_the_clean_runs_left() -> None:
    database = FakeDatabase([], {"db": 6, "template": 0})
    auditor = auditor_of((COUNTED,), database, (CleanRunCheck("all"),))
    await auditor.use(Ledger(clicks(6)))
    await auditor.clean_images.begin("template")
    for _ in range(2):
        audit = await auditor.audit("db")
        assert (audit.outcome, audit.provisional) == (Outcome.CLEAN, True)
        auditor.clean_images.keep()
    database.rows["db"] = 9
    audit = await auditor.audit("db")
    assert [outcome.counted_twice for _, outcome in audit.found] == [3, 3]
    assert [name for name, _ in audit.found] == ["events", "all"]
    assert not audit.provisional


async def test_the_expected_totals_of_a_program_are_used() -> None:
    async def program(check: Check, ledger: Ledger) -> Totals:
        return Totals.of(["total"], [(ledger.count + int(check.command[0]),)])

    check = Check("events", "", COUNTED.actual, command=("1",))
    auditor = Auditor((check,), (), FakeDatabase([], {"db": 6}), program)
    await auditor.use(Ledger(clicks(6)))
    assert (await auditor.audit("db")).found[0][1].lost == 1
