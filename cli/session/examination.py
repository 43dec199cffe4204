"""The examination of one subject on one lane: clean runs, sweep, scenarios, verdict.

It emits progress events and returns the result; an interruption ends it between two steps or in
one, and `partial` then says what was finished.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from killpoint import __version__
from killpoint.checks.duplicates import source_duplicates
from killpoint.checks.verdict import Verdict, audited, verdict
from killpoint.cli import progress
from killpoint.cli.result import (
    Bound,
    CleanRun,
    Coverage,
    Result,
    ScenarioResult,
    Warning,
)
from killpoint.cli.session import warnings
from killpoint.cli.session.audit import Audit
from killpoint.cli.session.compensation import could_cancel
from killpoint.cli.session.estimate import sweep_seconds
from killpoint.cli.session.evidence import Evidence
from killpoint.cli.session.results import clean_run, judged, scenario_result
from killpoint.cli.session.skipped import Usual, usual
from killpoint.cli.session.stack import Lane, Stack
from killpoint.cli.session.subject import Subject
from killpoint.cli.session.topics import Topics
from killpoint.cli.session.world import World
from killpoint.compose.folder_state import changed, folder_state
from killpoint.faults.cycle import Cycle, cycle
from killpoint.faults.drained import Calibration, calibrate
from killpoint.faults.run import Run, RunRecord
from killpoint.faults.scenario import Scenario
from killpoint.faults.stage import Stage
from killpoint.faults.sweep import SweepMoment, moments
from killpoint.faults.target import Target

CLEAN_RUNS = 2


@dataclass(slots=True)
class Examination:
    """Examines one subject. `evidence` is None where none is kept (the demo)."""

    stack: Stack
    lane: Lane
    subject: Subject
    target: Target
    reporter: progress.Reporter
    run: str
    topics: Topics
    evidence: Evidence | None = None
    world: World = field(init=False)
    stage: Stage = field(init=False)
    clean: list[CleanRun] = field(default_factory=list[CleanRun])
    finished: list[ScenarioResult] = field(default_factory=list[ScenarioResult])
    found: list[SweepMoment] = field(default_factory=list[SweepMoment])
    cycle: Cycle | None = None
    calibration: Calibration | None = None
    _records: list[RunRecord[Audit]] = field(default_factory=list[RunRecord[Audit]])
    _warnings: list[Warning] = field(default_factory=list[Warning])
    _unseen: list[str] = field(default_factory=list[str])
    _duplicates: int = 0
    _runs: int = 0
    _clean_seconds: float = 0.0

    # ── the steps ────────────────────────────────────────────────────────────────────────────────

    async def prepare(self) -> None:
        """Make the subject's topics and template. Raises UserError or EnvironmentFailed."""
        environment = self.stack.environment
        self.world = World(self.subject, environment, self.lane, self.run, self.topics)
        self.stage = await self.world.prepare(self.target)

    async def clean_runs(self, wanted: int = CLEAN_RUNS) -> bool:
        """Run without faults; False as soon as one is not clean."""
        before = await asyncio.to_thread(folder_state, self.subject.folder)
        cancelling = asyncio.to_thread(could_cancel, self.subject.checks, self.topics.records)
        asking = asyncio.ensure_future(cancelling)
        clean = await self._clean_runs(wanted)
        self._warn(*warnings.cancelling(await asking))
        self._duplicates = await asyncio.to_thread(source_duplicates, self.topics.records)
        after = await asyncio.to_thread(folder_state, self.subject.folder)
        self._unseen += [f"the changed file {path}" for path in changed(before, after)]
        self._unseen += [words for record in self._records for words in record.unseen]
        if not clean:
            return False
        self.found = moments([record.history.entries(1) for record in self._records])
        self.cycle = cycle(self._records[0].history.sightings(1))
        self.reporter.on(progress.CycleSeen(str(self.cycle)))
        self._warn(*warnings.bypassed(self.found))
        self._warn(*warnings.one_batch(self._records[0], len(self.topics.records)))
        return True

    async def _clean_runs(self, wanted: int) -> bool:
        for index in range(1, wanted + 1):
            self.reporter.on(progress.CleanRunStarted(index))
            record = await self._go(Scenario(f"clean-{index}"))
            self._records.append(record)
            evidence = self._evidence_folder(record.scenario.id)
            self.clean.append(clean_run(record, evidence))
            self._clean_seconds = record.times.total
            self.reporter.on(progress.CleanRunFinished(index, self.clean[-1], record.times.total))
            if self.clean[-1].outcome != "clean":
                return False
            self._calibrate()
        return True

    async def sweep(self, scenarios: Sequence[Scenario], limit: int | None = None) -> None:
        """Run the scenarios in order, only the first `limit` where one is given."""
        found, scenarios = scenarios, scenarios[:limit]
        self._warn(*warnings.limited(scenarios, found))
        required = sum(moment.required for moment in self.found)
        estimate = sweep_seconds(len(scenarios), self._clean_seconds)
        planned = progress.SweepPlanned(len(self.found), required, len(scenarios), estimate)
        self.reporter.on(planned)
        for index, scenario in enumerate(scenarios, 1):
            at = scenario.name or ", ".join(str(fault.at) for fault in scenario.faults)
            self.reporter.on(progress.ScenarioStarted(index, len(scenarios), at))
            record = await self._go(scenario)
            self._warn(*warnings.dropped_tables(record))
            bounded = await self.world.bounds.bound(record, self.topics.ledger, self._usual())
            shown = scenario_result(record, bounded, self._evidence_folder(scenario.id))
            self.finished.append(shown)
            self.reporter.on(progress.ScenarioFinished(index, len(scenarios), shown))
        self._warn(*warnings.unexplained([s.id for s in self.finished if s.unexplained]))

    def _warn(self, *found: Warning) -> None:
        """Say a warning as soon as it is known, once."""
        for warning in found:
            if warning not in self._warnings:
                self._warnings.append(warning)
                self.reporter.on(progress.Warned(warning.name, warning.text))

    async def _go(self, scenario: Scenario) -> RunRecord[Audit]:
        self._runs += 1
        number = self._runs
        run = Run(
            stage=self.stage,
            scenario=scenario,
            database=self.world.database_of(number),
            group=self.subject.group or f"killpoint-{self.run}-{self.lane.number}-{number}",
            auditor=self.world,
            calibration=self.calibration,
            log=self.evidence.folder(scenario.id) / "target.log" if self.evidence else None,
        )
        record = await run.go()
        self._warn(*warnings.killed_from_outside(record))
        if self.evidence is not None:
            self.evidence.write(scenario.id, record.history)
        return record

    def _usual(self) -> Usual:
        tables = self.subject.rules.ignore_tables
        return usual(self._records, self.calibration, tables)

    def _calibrate(self) -> None:
        self.calibration = calibrate(
            [(record.progress, self.stage.ends) for record in self._records]
        )

    def _evidence_folder(self, scenario: str) -> str | None:
        return f".killpoint/runs/{self.run}/{scenario}" if self.evidence else None

    # ── the result ───────────────────────────────────────────────────────────────────────────────

    def result(self, bound: Bound, *, complete: bool = True) -> tuple[Result, Verdict]:
        """What the runs so far mean."""
        if bound.faults_per_scenario:
            found = verdict(judged(self.clean), judged(self.finished), self.subject.requirement)
        else:
            found = audited(judged(self.clean))
        reached = {fault.at for s in self.finished for fault in s.faults if fault.reached}
        return (
            Result(
                killpoint=__version__,
                run=self.run,
                complete=complete,
                stack=self.stack.environment.stack,
                guarantee=found.guarantee,
                required=self.subject.requirement,
                met=found.met,
                reason=found.reason,
                bound=bound,
                coverage=Coverage(
                    len(self.found), sum(m.required for m in self.found), len(reached)
                ),
                warnings=tuple(self._warnings),
                unseen=tuple(dict.fromkeys(self._unseen)),
                clean_runs=tuple(self.clean),
                scenarios=tuple(self.finished),
                source_duplicates=self._duplicates,
            ),
            found,
        )
