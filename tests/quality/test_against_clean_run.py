"""Checks without SQL give the verdicts of the totals, and what they can not see is said.

Every sample is audited by its totals and by its tables at once, in the same runs.
"""

import pytest

from killpoint.checks.baseline import CleanRunCheck
from killpoint.checks.check import Check
from killpoint.checks.guarantee import Guarantee, join, left_by
from killpoint.checks.outcome import Outcome
from killpoint.checks.verdict import WRONG_WITHOUT_FAULT, ExitCode
from killpoint.compose.consumers.catalogue import SAMPLES, Sample
from tests.support.planted import Hit, Planted
from tests.support.planted_runs import Examiner

pytestmark = [pytest.mark.timeout(600), pytest.mark.asyncio(loop_scope="session")]

TABLES = CleanRunCheck("tables")
TIMER = (
    Hit("postgres.commit#4:after", None, sure=False),
    Hit("kafka.offset_commit{offset=6}:after", None, sure=False),
)
COMMITS = (Hit("postgres.commit#2:before", None), Hit("postgres.commit#2:after", None))
OFFSETS = (
    Hit("kafka.offset_commit#2:before", None),
    Hit("kafka.offset_commit#2:after", None),
)
STOPPED = (Hit("postgres.write{transaction=2,statement=2}:before", None, "terminate"),)
HITS = {
    "auto-commit": TIMER,
    "offset-with-result": COMMITS,
    "commit-on-close": (*COMMITS, *STOPPED),
}


def planted(sample: Sample) -> Planted:
    """A sample with both kinds of check."""
    check = sample.check
    return Planted(
        name=f"{sample.name}-against",
        program=sample.file,
        guarantee=Guarantee(sample.guarantee),
        hits=HITS.get(sample.name, (*COMMITS, *OFFSETS)),
        schema=sample.schema,
        check=Check(check.name, check.expected, check.actual),
        against=TABLES,
        env=sample.environment,
        position=sample.position,
    )


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
async def test_the_verdict_is_that_of_the_totals(examiner: Examiner, sample: Sample) -> None:
    examined = await examiner.examine(planted(sample))
    for scenario in examined.result.scenarios:
        totals, tables = scenario.checks
        found = (tables.outcome, tables.lost, tables.counted_twice)
        assert found == (totals.outcome, totals.lost, totals.counted_twice), str(examined)
    left = [left_by(scenario.checks[1].outcome) for scenario in examined.result.scenarios]
    assert None not in left, str(examined)
    assert join(each for each in left if each) is Guarantee(sample.guarantee), str(examined)


async def test_an_error_of_the_clean_run_is_not_seen_and_that_is_said(examiner: Examiner) -> None:
    hits = (Hit("postgres.commit#2:before", Outcome.CLEAN),)
    habit = {"HABIT": "skip"}
    blind = Planted("skips", "misfit.py", None, hits, check=None, against=TABLES, env=habit)
    examined = await examiner.examine(blind)
    assert [run.outcome for run in examined.result.clean_runs] == [Outcome.CLEAN] * 2
    assert examined.verdict.guarantee is Guarantee.EFFECTIVELY_ONCE
    told = {warning.name: warning.text for warning in examined.result.warnings}
    assert "an error that the clean run makes too is not seen" in told["against_clean_run"]

    seeing = Planted("skips-totals", "misfit.py", None, hits, env=habit)
    examined = await examiner.examine(seeing)
    assert examined.verdict.reason == WRONG_WITHOUT_FAULT


async def test_rows_of_random_values_can_not_be_compared(examiner: Examiner) -> None:
    hits = (Hit("postgres.commit#2:after", None),)
    habit = {"HABIT": "random"}
    random = Planted("random", "misfit.py", None, hits, check=None, against=TABLES, env=habit)
    examined = await examiner.examine(random)
    outcomes = [run.outcome for run in examined.result.clean_runs]
    assert outcomes == [Outcome.CLEAN, Outcome.INCONCLUSIVE]
    assert examined.verdict.exit_code is ExitCode.INCONCLUSIVE
    reason = examined.verdict.reason or ""
    assert "nothing can be compared with the clean run: click_counts has no column left" in reason
    assert "write the check in SQL" in reason
    assert examined.result.against is not None
    (table,) = examined.result.against.tables
    assert [column.column for column in table.ignored] == ["code", "clicks"]
