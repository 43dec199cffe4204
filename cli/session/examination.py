"""The examination of one subject: clean runs on its first lane, a sweep on all, the verdict.

It emits progress events and gives the result. An interruption, or a lane that fails, ends it
between two steps or in one; the result then says what was finished.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from killpoint import __version__
from killpoint.checks.duplicates import source_duplicates
from killpoint.checks.verdict import Verdict, audited, verdict
from killpoint.cli import progress
from killpoint.cli.result import (
    THEN,
    AgainstCleanRun,
    Bound,
    CleanRun,
    Result,
    ScenarioResult,
    Under,
    Warning,
)
from killpoint.cli.session import warnings
from killpoint.cli.session.audit import Audit
from killpoint.cli.session.compensation import could_cancel
from killpoint.cli.session.coverage import coverage
from killpoint.cli.session.estimate import sweep_seconds
from killpoint.cli.session.evidence import Evidence
from killpoint.cli.session.handout import Handout
from killpoint.cli.session.lanes import Meeting, disturbed, meeting
from killpoint.cli.session.results import (
    against,
    clean_run,
    judged,
    outcome_words,
    scenario_result,
)
from killpoint.cli.session.runner import Runner
from killpoint.cli.session.shown import Shown
from killpoint.cli.session.skipped import Usual, usual
from killpoint.cli.session.stack import Lane, Stack
from killpoint.cli.session.subject import Subject
from killpoint.cli.session.topics import Topics
from killpoint.cli.session.world import World
from killpoint.compose.changed_files import ChangedFiles
from killpoint.compose.housing import OwnedTarget
from killpoint.compose.replicas import Replicas
from killpoint.faults.crash_class import Scale
from killpoint.faults.cycle import Cycle, cycle
from killpoint.faults.drained import Calibration, calibrate
from killpoint.faults.durability import DurabilityRules, Place, places
from killpoint.faults.limits import still_holding
from killpoint.faults.overtaking import Saving, held_for_overtaking, saving_of
from killpoint.faults.plan import Plan
from killpoint.faults.run_record import RunRecord
from killpoint.faults.scenario import Scenario
from killpoint.faults.sweep import Extent, SweepMoment, moments

CLEAN_RUNS = 2
SURVIVORS_HOLD = "what the replicas that live on hold in memory"
SPARE_SEES = "what a spare finds when it starts: files, clocks and leases as before the crash"


@dataclass(slots=True)
class Examination:
    """Examines one subject; `close` is due after `prepare`, however that ended.

    `evidence` is None where none is kept (the demo).
    """

    stack: Stack
    lanes: Sequence[Lane]
    subject: Subject
    reporter: progress.Reporter
    run: str
    topics: Topics
    evidence: Evidence | None = None
    world: World = field(init=False)
    clean: list[CleanRun] = field(default_factory=list[CleanRun])
    found: list[SweepMoment] = field(default_factory=list[SweepMoment])
    cycle: Cycle | None = None
    calibration: Calibration | None = None
    scale: Scale | None = None
    files: ChangedFiles | None = None
    runners: list[Runner] = field(default_factory=list[Runner])
    _finished: dict[int, ScenarioResult] = field(default_factory=dict[int, ScenarioResult])
    _records: list[RunRecord[Audit]] = field(default_factory=list[RunRecord[Audit]])
    _savings: list[Saving] = field(default_factory=list[Saving])
    """How each clean run saved its offsets."""
    _warnings: list[Warning] = field(default_factory=list[Warning])
    _against: AgainstCleanRun | None = None
    _unseen: list[str] = field(default_factory=list[str])
    _duplicates: int = 0
    _left: list[Place] = field(default_factory=list[Place])
    clean_seconds: float = 0.0
    """How long the last clean run took."""
    _opened: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def finished(self) -> list[ScenarioResult]:
        """The scenarios that are over, in the order in which they were begun."""
        return [self._finished[number] for number in sorted(self._finished)]

    @property
    def extent(self) -> Extent:
        """What the sources hold."""
        stage = self.runners[0].stage
        return Extent(stage.ends, {p.place: p.offset for p in stage.start_positions})

    @property
    def durability(self) -> DurabilityRules:
        """What belongs to a crash state of this subject."""
        return self.runners[0].stage.durability

    def seconds_of(self, scenarios: int) -> float:
        """How long so many scenarios take on one lane, by the last clean run."""
        return sweep_seconds(scenarios, self.clean_seconds)

    # ── the steps ────────────────────────────────────────────────────────────────────────────────

    async def prepare(self) -> None:
        """Make the subject's topics and template. Raises UserError or EnvironmentFailed."""
        self.world = self._world(self.stack, self.topics)
        await self.world.prepare()
        self._add(self.world, self.lanes[0])
        if self.subject.database.by_target:
            self.reporter.on(progress.Preparing("letting the target make its tables"))
        await self.world.let_target_migrate(self.runners[0].stage)

    def share(self, count: int) -> None:
        """Let the first `count` lanes work in one world."""
        for lane in self.lanes[1:count]:
            self._add(self.world, lane)

    async def join(self, number: int) -> None:
        """Let one more lane work with servers of its own. Raises UserError or EnvironmentFailed."""
        stack = await self._opened.enter_async_context(self.stack.beside(number))
        world = self._world(stack, Topics(self.subject, stack.environment))
        await world.prepare()
        world.auditor.clean_images.adopt(self.world.auditor.clean_images)
        runner = self._add(world, stack.lanes[0])
        await world.let_target_migrate(runner.stage)

    def _world(self, stack: Stack, topics: Topics) -> World:
        files = self.evidence.folder("files") if self.evidence and self.subject.files else None
        return World(self.subject, stack.environment, self.run, topics, stack.housing, files)

    def _add(self, world: World, lane: Lane) -> Runner:
        log = self.evidence.folder("start") / "target.log" if self.evidence else Path("/dev/null")
        house, folder = self.stack.housing, self.subject.folder
        second = house.target(folder, log) if self.subject.spare else None
        target: OwnedTarget
        if (count := self.subject.replicas) > 1:
            launch = partial(world.launch_beside, lane)
            replicas = [house.target(folder, log, number) for number in range(1, count + 1)]
            several = Replicas(replicas, launch)
            target, stage = several, world.stage(lane, several)
            if self.subject.one_dies:
                stage.several, stage.launch_one = several, lambda number: launch(number - 1)
        else:
            target = house.target(folder, log)
            stage = world.stage(lane, target)
        if self.runners:
            first = self.runners[0].stage
            stage.numbering_tables = first.numbering_tables
            stage.read_back = first.read_back
            stage.files, stage.steady_files = first.files, first.steady_files
            stage.patience = first.patience
        awaits = partial(self._await_target, lane.number)
        runner = Runner(lane, world, target, stage, self.evidence, second, awaits)
        self.runners.append(runner)
        return runner

    def _await_target(self, lane: int, awaited: bool) -> None:
        event = progress.TargetStarted(lane) if awaited else progress.TargetJoined(lane)
        self.reporter.on(event)

    async def close(self) -> None:
        """End the targets, and bring back the files that they have changed.

        Then end the servers of lanes that had their own.
        """
        async with AsyncExitStack() as rest:  # whichever of them fails
            rest.push_async_callback(self._opened.aclose)
            rest.push_async_callback(self._restore)
            for runner in self.runners:
                rest.push_async_callback(runner.close)

    def meeting(self) -> Meeting:
        """Where targets of several lanes would meet; only after the clean runs."""
        files = [str(path) for path in self._changed_files]
        return meeting(self.subject, self._records, files, late=bool(self.topics.late))

    async def clean_runs(self, wanted: int = CLEAN_RUNS) -> bool:
        """Run without faults; False as soon as one is not clean."""
        if self.evidence is not None:
            aside = self.evidence.folder("start") / "files"
            self.files = ChangedFiles(self.subject.folder, aside)
            await asyncio.to_thread(self.files.keep)
        checks = self.subject.told_apart_by
        cancelling = asyncio.to_thread(could_cancel, checks, self.topics.first_and_late)
        asking = asyncio.ensure_future(cancelling)
        clean = await self._clean_runs(wanted)
        self.warn(*warnings.cancelling(await asking))
        self._against = against(self.world.auditor.clean_images)
        self.warn(*warnings.against_clean_run(self._against))
        self._duplicates = await asyncio.to_thread(source_duplicates, self.topics.ledger)
        self._unseen += [f"the changed file {path}" for path in self._changed_files]
        self._unseen += [words for record in self._records for words in record.unseen]
        self._unseen += [SPARE_SEES] if self.subject.spare else []
        self._unseen += [SURVIVORS_HOLD] if self.subject.one_dies else []
        if not clean:
            return False
        self._find_moments()
        self.cycle = cycle(self._records[0].history.sightings(1))
        self.reporter.on(progress.CycleSeen(str(self.cycle)))
        self.warn(*warnings.bypassed(self.found))
        topics = {*self.subject.topics, *self.subject.topics_beside}
        self.warn(*warnings.unfilled(self._records[0], topics))
        self.warn(*warnings.one_batch(self._records[0], self.topics.ledger.count))
        query = self.subject.position
        self.warn(*warnings.late_offsets(self._records[0], self._savings, position=bool(query)))
        return True

    async def _clean_runs(self, wanted: int) -> bool:
        for index in range(1, wanted + 1):
            self.reporter.on(progress.CleanRunStarted(index))
            record = await self._clean_run(Scenario(f"clean-{index}"))
            self._records.append(record)
            self._savings.append(saving_of(record.history.entries(1)))
            evidence = self._evidence_folder(record.scenario.id)
            self.clean.append(clean_run(record, evidence))
            self.world.auditor.clean_images.keep()
            self.clean_seconds = record.times.total
            self.reporter.on(progress.CleanRunFinished(index, self.clean[-1], record.times.total))
            await self._look_at_files()
            if self.clean[-1].outcome != "clean":
                return False
            self._calibrate()
        return True

    async def _clean_run(self, scenario: Scenario) -> RunRecord[Audit]:
        """Run without faults, once more and with patience if the target still held rows."""
        record = await self._run(self.runners[0], scenario)
        if not record.held:
            return record
        record = await self._run(self.runners[0], scenario, patient=True)
        if record.held:
            ending = still_holding(record.held, self.runners[0].stage.patience)
            return replace(record, ending=ending)
        self.warn(warnings.held_rows(record))
        return record

    def _find_moments(self) -> None:
        """Name the moments of the clean runs."""
        steady = self.files.steady if self.files else frozenset[str]()
        self.runners[0].stage.steady_files = steady
        runs = [record.history.entries(1) for record in self._records]
        # Which files the target changes is not known in the first one.
        ordered = runs[::-1] if self._changed_files else runs
        self.found = moments(ordered, self.durability, self.extent)
        seen = places(self._records[0].history.entries(1), self.durability)
        self.scale = self.extent.scale(seen)
        if self.evidence is not None and len(self.clean) == CLEAN_RUNS:
            shown = Shown.of(self.found, self.clean_seconds, self.meeting(), self.overtaken)
            shown.keep(self.evidence)

    @property
    def overtaken(self) -> tuple[SweepMoment, ...]:
        """Where work is to be held until an offset has passed it, if one may."""
        return held_for_overtaking(self.found, self._savings)

    @property
    def _changed_files(self) -> list[Path]:
        return self.files.paths if self.files is not None else []

    async def _look_at_files(self) -> None:
        """Find the files that the run has changed; from now on they belong to the crash state."""
        if self.files is not None:
            await asyncio.to_thread(self.files.look)
            if self.files.paths:
                self.runners[0].stage.files = self.files.digests

    async def _restore(self) -> None:
        if self.files is not None:
            await asyncio.to_thread(self.files.restore)

    async def sweep(self, plan: Plan, depth: str = "moments", seed: str | None = None) -> None:
        """Run the scenarios of a plan, each on the lane that is free first.

        `depth` and `seed` are how it was chosen, to be said.
        What one lane fails with ends all of them and is raised.
        """
        required = sum(moment.required for moment in self.found)
        estimate = self.seconds_of(plan.total) / len(self.runners)
        planned = progress.SweepPlanned(
            len(self.found), required, plan.total, estimate, depth, seed
        )
        self.reporter.on(planned)
        handout = Handout(plan, len(self._finished) + 1)
        usually = usual(self._records, self.calibration, self.subject.rules.ignore_tables)
        try:
            async with asyncio.TaskGroup() as group:
                for runner in self.runners:
                    group.create_task(self._work(runner, handout, usually))
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        self.warn(*warnings.unexplained([s.id for s in self.finished if s.unexplained]))

    async def _work(self, runner: Runner, handout: Handout, usually: Usual) -> None:
        """One lane's part of a sweep."""
        while (given := await handout.take()) is not None:
            with runner.world.used():
                await self._examine(runner, handout, usually, *given)

    async def _examine(
        self, runner: Runner, handout: Handout, usually: Usual, number: int, scenario: Scenario
    ) -> None:
        at = scenario.name or THEN.join(str(fault.at) for fault in scenario.faults)
        lane, total = runner.lane.number, handout.plan.total
        self.reporter.on(progress.ScenarioStarted(number, total, at, lane))
        record = await self._run(runner, scenario)
        self.warn(*warnings.dropped_tables(record))
        ledger = runner.world.topics.ledger
        bounded = await runner.world.bounds.bound(record, ledger, usually)
        evidence = self._evidence_folder(scenario.id)
        shown = scenario_result(record, bounded, evidence, lane, self.scale)
        self._finished[number] = shown
        written = self._written_beside(runner, record)
        void = handout.finished(number, record, outcome_words(shown), disturbs=bool(written))
        for other in void:
            del self._finished[other]
        if written and void:
            self.reporter.on(progress.LanesChosen(disturbed(scenario.id, written, len(void))))
        if number not in void:
            self._left += [fault.place for fault in record.faults[:1] if fault.place is not None]
            self.reporter.on(progress.ScenarioFinished(number, handout.plan.total, shown))

    def _written_beside(self, runner: Runner, record: RunRecord[Audit]) -> str:
        """A topic that was written to although other lanes may read it; "" if there is none."""
        shared = sum(other.world is runner.world for other in self.runners) > 1
        return min(record.progress.topics_written, default="") if shared else ""

    async def _run(
        self, runner: Runner, scenario: Scenario, *, patient: bool = False
    ) -> RunRecord[Audit]:
        await self._restore()
        record = await runner.run(scenario, self.calibration, patient=patient)
        self.warn(*warnings.killed_from_outside(record), *warnings.spare_ended(record))
        return record

    def warn(self, *found: Warning) -> None:
        """Say a warning as soon as it is known, once."""
        for warning in found:
            if warning not in self._warnings:
                self._warnings.append(warning)
                self.reporter.on(progress.Warned(warning.name, warning.text))

    def _calibrate(self) -> None:
        stage = self.runners[0].stage
        found = calibrate([(record.progress, stage.ends) for record in self._records])
        saving = max(saving.seconds for saving in self._savings)
        stage.patience = stage.patience.after_clean_runs(
            found.join_seconds, saving, found.gap_seconds
        )
        self.calibration = found

    def _evidence_folder(self, scenario: str) -> str | None:
        return f".killpoint/runs/{self.run}/{scenario}" if self.evidence else None

    # ── the result ───────────────────────────────────────────────────────────────────────────────

    def _by_faults(self) -> tuple[Under, ...]:
        """What holds under one fault alone, where scenarios of several were run, too."""
        numbers = sorted({len(scenario.faults) for scenario in self.finished})
        if len(numbers) < 2:
            return ()
        found = (
            (number, [s for s in self.finished if len(s.faults) <= number]) for number in numbers
        )
        return tuple(
            Under(number, verdict(judged(self.clean), judged(some), None).guarantee)
            for number, some in found
        )

    def result(
        self, bound: Bound, *, complete: bool = True, seed: str | None = None
    ) -> tuple[Result, Verdict]:
        """What the runs so far mean; `seed` is the sweep's."""
        if bound.faults_per_scenario:
            found = verdict(judged(self.clean), judged(self.finished), self.subject.requirement)
        else:
            found = audited(judged(self.clean))
        reached = {fault.at for s in self.finished for fault in s.faults if fault.reached}
        unseen = tuple(dict.fromkeys(self._unseen))
        covered = coverage(self.found, reached, self._left, self.scale)
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
                coverage=replace(covered, assumed=bool(unseen) and bound.depth != "moments"),
                warnings=(*self._warnings, *warnings.timer_offsets(self.found, self.finished)),
                against=self._against,
                unseen=unseen,
                clean_runs=tuple(self.clean),
                scenarios=tuple(self.finished),
                source_duplicates=self._duplicates,
                seed=seed,
                guarantees=self._by_faults(),
            ),
            found,
        )
