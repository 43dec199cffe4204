"""From what a run showed to what the result says of it."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from killpoint.checks.baseline import BaseTable
from killpoint.checks.comparison import CheckOutcome
from killpoint.checks.exposure import Exposure
from killpoint.checks.outcome import Outcome
from killpoint.checks.row_comparison import RULE
from killpoint.checks.verdict import Judged
from killpoint.cli import result
from killpoint.cli.session.audit import Audit
from killpoint.cli.session.bounds import Bounded
from killpoint.cli.session.clean_images import CleanImages
from killpoint.faults.crash_class import Scale, class_of
from killpoint.faults.cycle import ARROW, cycle
from killpoint.faults.durability import Place
from killpoint.faults.ending import End, Ending
from killpoint.faults.run_record import FaultRecord, RunRecord, Times

Record = RunRecord[Audit]


def outcome_of(record: Record) -> tuple[Outcome, str | None]:
    """The outcome of a run and its reason: how it ended goes before what the audit found."""
    ending = record.ending
    if ending.end is End.STUCK:
        return Outcome.STUCK, _reason(ending)
    if ending.end is End.INCONCLUSIVE or record.audit is None:
        return Outcome.INCONCLUSIVE, _reason(ending)
    return record.audit.outcome, record.audit.reason


def clean_run(record: Record, evidence: str | None) -> result.CleanRun:
    """A run without faults."""
    outcome, reason = outcome_of(record)
    words = str(cycle(record.history.sightings(1)))
    return result.CleanRun(outcome, reason, words, _checks(record.audit), evidence)


def scenario_result(
    record: Record,
    bounded: Bounded,
    evidence: str | None,
    lane: int = 1,
    scale: Scale | None = None,
) -> result.ScenarioResult:
    """A run with faults."""
    outcome, reason = outcome_of(record)
    return result.ScenarioResult(
        id=record.scenario.id,
        faults=tuple(_fault(fault) for fault in record.faults),
        outcome=outcome,
        reason=reason,
        checks=_checks(record.audit, bounded),
        unexplained=bounded.unexplained,
        explained_by=bounded.explained_by,
        seconds=_seconds(record.times),
        evidence=evidence,
        required=record.scenario.required,
        lane=lane,
        crash_state=_joined(str(place.state) for place in _places(record)),
        class_=_joined(class_of(place, scale) for place in _places(record)) if scale else None,
    )


def outcome_words(shown: result.ScenarioResult) -> str:
    """The outcome with its amounts, as a plan compares it; "" where nothing is known."""
    if shown.outcome is Outcome.INCONCLUSIVE:
        return ""
    amounts = (f"{c.name}: lost {c.lost}, counted twice {c.counted_twice}" for c in shown.checks)
    return "; ".join([shown.outcome, *amounts])


def _places(record: Record) -> list[Place]:
    return [fault.place for fault in record.faults if fault.place is not None]


def _joined(texts: Iterable[str]) -> str | None:
    return ARROW.join(texts) or None


def against(images: CleanImages) -> result.AgainstCleanRun | None:
    """What is compared with the clean run; None before that is known, or without such a check."""
    tables = [_compared(check.name, table) for check, found in images.tables() for table in found]
    return result.AgainstCleanRun(RULE, tuple(tables)) if tables else None


def _compared(check: str, table: BaseTable) -> result.ComparedTable:
    return result.ComparedTable(
        check=check,
        table=table.name,
        rows=sum((table.rows or {}).values()),
        known_by=table.label_names,
        columns=tuple(column.name for column in table.columns),
        ignored=tuple(result.IgnoredColumn(name, reason) for name, reason in table.ignored),
        refusal=table.refusal,
    )


def judged(runs: Sequence[result.ScenarioResult | result.CleanRun]) -> list[Judged]:
    """The runs as the verdict reads them."""
    return [Judged(run.outcome, run.reason, getattr(run, "required", True)) for run in runs]


def _reason(ending: Ending) -> str | None:
    if ending.reason is None or ending.remedy is None:
        return ending.reason
    return f"{ending.reason}{result.REMEDY_FOLLOWS}{ending.remedy}"


def _fault(record: FaultRecord) -> result.FaultResult:
    crash = record.crash
    frontier = tuple(
        result.FrontierEntry(e.topic, e.partition, e.fetched, e.committed, e.end)
        for e in (crash.frontier if crash else ())
    )
    return result.FaultResult(
        at=str(record.fault.at),
        action=record.fault.action,
        reached=record.reached,
        frontier=frontier,
        in_flight=crash.left_behind if crash else (),
        replica=record.replica,
        survivors=record.survivors,
    )


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


def _checks(audit: Audit | None, bounded: Bounded | None = None) -> tuple[result.CheckResult, ...]:
    if audit is None:
        return ()
    # The checks of totals come first, and only they can have an exposure.
    exposures = bounded.exposures if bounded else ()
    return tuple(
        _check(name, found, bound) for (name, found), bound in zip_longest(audit.found, exposures)
    )


def _check(name: str, found: CheckOutcome, bound: Exposure | None) -> result.CheckResult:
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
        exposure=result.Exposure(result.amount(bound.lost), result.amount(bound.counted_twice))
        if bound
        else None,
    )
