"""Invented results of every kind, for the tests of reports and of the result's schema."""

from collections.abc import Iterator
from dataclasses import replace

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.progress import (
    CleanRunFinished,
    CleanRunStarted,
    ConfigurationUsed,
    CycleSeen,
    Preparing,
    ProgressEvent,
    ScenarioFinished,
    ScenarioStarted,
    StackReady,
    SweepPlanned,
    VerdictGiven,
)
from killpoint.cli.result import (
    Bound,
    CheckResult,
    CleanRun,
    Coverage,
    Exposure,
    FaultResult,
    FrontierEntry,
    KeyDifference,
    Result,
    ScenarioResult,
    Seconds,
    Warning,
)

COUNT_THEN_SAVE = "fetched 0-2 → begin → 3 writes → commit → offset 3 saved"
SAVE_THEN_COUNT = "fetched 0-2 → offset 3 saved → begin → 3 writes → commit"
LONG_MOMENT = 'kafka.offset_commit{topic="clicks",partition=0,offset=6}:before'


def check(outcome: Outcome = Outcome.CLEAN, amount: int | str = 3) -> CheckResult:
    """A check with three differing keys, two of them kept, or a clean one."""
    if outcome in (Outcome.CLEAN, Outcome.INCONCLUSIVE):
        missing = None if outcome is Outcome.INCONCLUSIVE else 0
        return CheckResult("clicks per link", outcome, missing, missing)
    lost = amount if outcome in (Outcome.LOST, Outcome.BOTH) else 0
    twice = amount if outcome in (Outcome.COUNTED_TWICE, Outcome.BOTH) else 0
    keys = (
        KeyDifference({"code": "link-1"}, 1, 2),
        KeyDifference({"code": "link-2", "currency": "EUR"}, "120.50", "180.75"),
    )
    return CheckResult("clicks per link", outcome, lost, twice, keys, 3, Exposure(lost, twice))


def scenario(
    number: int,
    at: str,
    outcome: Outcome = Outcome.CLEAN,
    reason: str | None = None,
    required: bool = True,
) -> ScenarioResult:
    """A kill at one moment; it is not reached if the outcome is inconclusive."""
    reached = outcome is not Outcome.INCONCLUSIVE
    frontier = (FrontierEntry("clicks", 0, 3, None, 12),) if reached else ()
    checked = outcome not in (Outcome.INCONCLUSIVE, Outcome.STUCK)
    return ScenarioResult(
        id=f"S{number:02}",
        faults=(FaultResult(at, "kill", reached, frontier),),
        outcome=outcome,
        reason=reason,
        checks=(check(outcome),) if checked else (),
        seconds=Seconds(0.93, 0.4, 0.3, 0.12, 0.02) if reached else Seconds(30.0),
        evidence=f".killpoint/runs/r1/S{number:02}",
        required=required,
    )


def clean_run(outcome: Outcome = Outcome.CLEAN, cycle: str = COUNT_THEN_SAVE) -> CleanRun:
    """A run without faults."""
    reason = "the target read nothing" if outcome is Outcome.INCONCLUSIVE else None
    return CleanRun(outcome, reason, cycle, (check(outcome),))


def result(
    *scenarios: ScenarioResult,
    guarantee: Guarantee | None = None,
    required: Guarantee | None = None,
    met: bool | None = None,
    reason: str | None = None,
    cycle: str = COUNT_THEN_SAVE,
) -> Result:
    """A complete sweep of these scenarios, with two clean runs that were clean."""
    reached = sum(scenario.reached for scenario in scenarios)
    needed = sum(scenario.required for scenario in scenarios)
    return Result(
        killpoint="0.1.0",
        run="r1",
        complete=True,
        stack="embedded",
        guarantee=guarantee,
        required=required,
        met=met,
        reason=reason,
        bound=Bound(("kill",), 1),
        coverage=Coverage(len(scenarios), needed, reached),
        clean_runs=(clean_run(cycle=cycle), clean_run(cycle=cycle)),
        scenarios=scenarios,
    )


def failed() -> Result:
    """Counted twice, although effectively once was required; with all that a report can say."""
    twice = Outcome.COUNTED_TWICE
    found = result(
        scenario(1, "postgres.commit#1:before"),
        scenario(2, "postgres.commit#1:after", twice),
        scenario(3, "kafka.offset_commit#1:before", twice),
        scenario(4, LONG_MOMENT, twice),
        scenario(5, "postgres.commit#2:after", twice),
        scenario(6, "kafka.offset_commit#4:after", Outcome.INCONCLUSIVE, "not reached", False),
        guarantee=Guarantee.AT_LEAST_ONCE,
        required=Guarantee.EFFECTIVELY_ONCE,
        met=False,
        reason="required: effectively once, given: at least once",
    )
    return replace(
        found,
        warnings=(Warning("one_batch", "all events came in one batch: lower the batch size"),),
        unseen=("connections past killpoint, caches, clocks",),
    )


def passed() -> Result:
    """Effectively once, as required."""
    return result(
        scenario(1, "postgres.commit#1:before"),
        scenario(2, "postgres.commit#1:after"),
        guarantee=Guarantee.EFFECTIVELY_ONCE,
        required=Guarantee.EFFECTIVELY_ONCE,
        met=True,
    )


def lost() -> Result:
    """Lost, and nothing was required."""
    return result(
        scenario(1, "postgres.commit#1:before", Outcome.LOST),
        scenario(2, "postgres.commit#1:after"),
        guarantee=Guarantee.AT_MOST_ONCE,
        cycle=SAVE_THEN_COUNT,
    )


def both() -> Result:
    """No guarantee at all."""
    return result(scenario(1, "postgres.commit#1:before", Outcome.BOTH), guarantee=Guarantee.NONE)


def stuck() -> Result:
    """A crash loop after a kill."""
    reason = "exit 1 six times in a row"
    return result(
        scenario(1, "postgres.begin#1:after", Outcome.STUCK, reason),
        met=False,
        reason=f"stuck in 1 of 1 scenarios: {reason}",
    )


def inconclusive() -> Result:
    """A required moment did not come."""
    reason = "the moment was not reached in 30 s"
    return result(
        scenario(1, "postgres.commit#1:before"),
        scenario(2, "postgres.commit#9:after", Outcome.INCONCLUSIVE, reason),
        required=Guarantee.AT_LEAST_ONCE,
        reason=f"1 of 2 required scenarios inconclusive: {reason}",
    )


def wrong() -> Result:
    """Wrong without any fault, so that no scenario was run."""
    reason = "wrong without any fault: the consumer or the check"
    bad = clean_run(Outcome.COUNTED_TWICE)
    return replace(result(met=False, reason=reason), clean_runs=(bad,))


def interrupted() -> Result:
    """Ctrl-C after the first scenario."""
    return replace(result(scenario(1, "postgres.commit#1:before")), complete=False)


def audit() -> Result:
    """`killpoint audit`: one clean run and nothing else."""
    return replace(result(), bound=Bound((), 0), clean_runs=(clean_run(),))


KINDS = {
    "failed": (failed(), ExitCode.NOT_MET),
    "passed": (passed(), ExitCode.MET),
    "lost": (lost(), ExitCode.MET),
    "both": (both(), ExitCode.MET),
    "stuck": (stuck(), ExitCode.NOT_MET),
    "inconclusive": (inconclusive(), ExitCode.INCONCLUSIVE),
    "wrong": (wrong(), ExitCode.NOT_MET),
    "interrupted": (interrupted(), ExitCode.INTERRUPTED),
    "audit": (audit(), ExitCode.MET),
}
"""Every kind of result by name, with the exit code that belongs to it."""


def verdict(kind: str) -> VerdictGiven:
    """The last event of a run of this kind."""
    found, code = KINDS[kind]
    return VerdictGiven(found, code, 12.3)


def events(last: VerdictGiven, argument: str | None = None) -> Iterator[ProgressEvent]:
    """The events of a session that ends with this verdict."""
    found = last.result
    facts = (("target", "python counter.py"), ("source", "clicks · 12 events, 1 partition"))
    yield ConfigurationUsed("killpoint.toml", argument, facts)
    yield Preparing("starting Kafka and Postgres")
    yield StackReady("embedded", "Kafka 4.3.1, Postgres 18.4", 1.34)
    for index, run in enumerate(found.clean_runs, 1):
        yield CleanRunStarted(index)
        yield CleanRunFinished(index, run, 0.91)
    if found.scenarios:
        yield CycleSeen(found.clean_runs[0].cycle)
        total, coverage = len(found.scenarios), found.coverage
        yield SweepPlanned(coverage.moments, coverage.required, total, 75.0)
        for index, one in enumerate(found.scenarios, 1):
            yield ScenarioStarted(index, total, one.faults[0].at)
            yield ScenarioFinished(index, total, one)
    yield last
