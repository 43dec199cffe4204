"""From what a run showed to what the result says of it."""

from collections.abc import Sequence

from killpoint.checks.comparison import CheckOutcome
from killpoint.checks.outcome import Outcome
from killpoint.checks.verdict import Judged
from killpoint.cli import result
from killpoint.cli.session.audit import Audit
from killpoint.faults.cycle import cycle
from killpoint.faults.ending import End, Ending
from killpoint.faults.run import FaultRecord, RunRecord, Times

Record = RunRecord[Audit]


def outcome_of(record: Record) -> tuple[Outcome, str | None]:
    """The outcome of a run and its reason: how it ended goes before what the audit found."""
    ending = record.ending
    if ending.end is End.STUCK:
        return Outcome.STUCK, _reason(ending)
    if ending.end is End.INCONCLUSIVE or record.audit is None:
        return Outcome.INCONCLUSIVE, _reason(ending)
    return record.audit.outcome, record.audit.reason


def clean_run(record: Record) -> result.CleanRun:
    """A run without faults."""
    outcome, reason = outcome_of(record)
    words = str(cycle(record.history.sightings(1)))
    return result.CleanRun(outcome, reason, words, _checks(record.audit))


def scenario_result(record: Record, evidence: str | None) -> result.ScenarioResult:
    """A run with faults."""
    outcome, reason = outcome_of(record)
    return result.ScenarioResult(
        id=record.scenario.id,
        faults=tuple(_fault(fault) for fault in record.faults),
        outcome=outcome,
        reason=reason,
        checks=_checks(record.audit),
        seconds=_seconds(record.times),
        evidence=evidence,
        required=record.scenario.required,
    )


def judged(runs: Sequence[result.ScenarioResult | result.CleanRun]) -> list[Judged]:
    """The runs as the verdict reads them."""
    return [Judged(run.outcome, run.reason, getattr(run, "required", True)) for run in runs]


def _reason(ending: Ending) -> str | None:
    if ending.reason is None or ending.remedy is None:
        return ending.reason
    return f"{ending.reason}; do: {ending.remedy}"


def _fault(record: FaultRecord) -> result.FaultResult:
    frontier = tuple(
        result.FrontierEntry(e.topic, e.partition, e.fetched, e.committed, e.end)
        for e in record.frontier
    )
    return result.FaultResult(str(record.fault.at), record.fault.action, record.reached, frontier)


def _seconds(times: Times) -> result.Seconds:
    def rounded(value: float | None) -> float | None:
        return None if value is None else round(value, 4)

    return result.Seconds(
        total=round(times.total, 4),
        to_moment=rounded(times.to_moment),
        restart=rounded(times.restart),
        drain=rounded(times.drain),
        audit=rounded(times.audit),
    )


def _checks(audit: Audit | None) -> tuple[result.CheckResult, ...]:
    return tuple(_check(name, found) for name, found in audit.found) if audit else ()


def _check(name: str, found: CheckOutcome) -> result.CheckResult:
    return result.CheckResult(
        name=name,
        outcome=found.outcome,
        lost=result.amount(found.lost),
        counted_twice=result.amount(found.counted_twice),
        keys=tuple(
            result.KeyDifference(
                found.named(difference),
                result.amount(difference.expected),
                result.amount(difference.actual),
            )
            for difference in found.keys
        ),
        keys_total=found.keys_total,
    )
