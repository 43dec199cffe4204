"""A session of `run`, `points` or `audit`: one subject, one lane, from the stack to the result."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from killpoint.checks.verdict import Verdict
from killpoint.cli import progress
from killpoint.cli.config.verify_replicas import ONE
from killpoint.cli.result import Bound, Result
from killpoint.cli.session import warnings
from killpoint.cli.session.apart import refuse_untold
from killpoint.cli.session.evidence import Evidence, new_run_id
from killpoint.cli.session.examination import CLEAN_RUNS, Examination
from killpoint.cli.session.lanes import LaneWish, meeting
from killpoint.cli.session.registry import registry_served
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.stack_choice import StackWish, chosen_stack
from killpoint.cli.session.subject import FILES_IN_CONTAINERS, Subject
from killpoint.cli.session.topics import Topics
from killpoint.cli.session.widening import lanes_wished, widen
from killpoint.compose.housing import Wish, housing
from killpoint.compose.run_folder import RunFolder
from killpoint.faults.depth import Depth, Selection
from killpoint.faults.depth_plan import DepthPlan, Limits
from killpoint.faults.plan import Listed
from killpoint.faults.scenario import Scenario
from killpoint.faults.to_the_end import to_the_end


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a session is asked to do. `scenarios` are given ones; `limit` cuts whatever is run.

    `within`: seconds after the start of the session in which scenarios may begin; `kills`: how
    often one scenario kills; `seed` chooses what has no other order; `lanes`: at most so many, None
    as many as the machine has room for.
    """

    scenarios: tuple[Scenario, ...] = ()
    actions: tuple[str, ...] = ("kill",)
    limit: int | None = None
    depth: Depth = Depth.MOMENTS
    within: float | None = None
    kills: int = 1
    seed: str = ""
    lanes: int | None = None


@dataclass(slots=True)
class Session:
    """One session; `result` is what is known at any time, complete or not."""

    subject: Subject
    reporter: progress.Reporter
    wanted: Wanted = field(default_factory=Wanted)
    run_id: str = field(default_factory=new_run_id)
    stack: StackWish = field(default_factory=StackWish)
    examination: Examination | None = None
    bound: Bound = field(init=False)
    seed: str | None = None
    _began: float = field(default_factory=monotonic)
    _lanes: LaneWish = field(init=False)

    def __post_init__(self) -> None:
        self._lanes = lanes_wished(self.wanted.lanes)
        given = self._given
        done = [fault.action for scenario in given for fault in scenario.faults]
        actions = tuple(dict.fromkeys(done)) if given else self.wanted.actions
        faults = max((len(scenario.faults) for scenario in given), default=self.wanted.kills)
        # What was listed is run whatever it leaves: no moment stands for another.
        depth = Depth.MOMENTS if given else self.wanted.depth
        self.bound = Bound(actions, faults, depth, ONE if self.subject.one_dies else "all")

    async def sweep(self) -> None:
        """Clean runs, then the scenarios that are wanted, listed, or found."""
        async with self._examined(self._lanes.lanes) as examination:
            if await examination.clean_runs():
                if self._given:
                    await self._run_given(examination)
                else:
                    await self._sweep(examination)

    @property
    def _given(self) -> tuple[Scenario, ...]:
        return self.wanted.scenarios or self.subject.scenarios

    async def _run_given(self, examination: Examination) -> None:
        tried = self._given[: self.wanted.limit]
        examination.warn(*warnings.limited(len(tried), len(self._given)))
        await widen(examination, self._lanes, len(tried))
        await examination.sweep(Listed(tried))

    async def _sweep(self, examination: Examination) -> None:
        wanted = self.wanted
        self.seed = wanted.seed
        ordered = wanted.within is not None
        alone = self.subject.one_dies
        selection = Selection(
            wanted.depth,
            wanted.actions,
            wanted.seed,
            shuffled=ordered,
            survivors=alone,
            overtaken=examination.overtaken,
        )
        seconds = None
        if wanted.within is not None:
            gone = monotonic() - self._began
            seconds = wanted.within - gone - examination.seconds_of(1)
        limits = Limits(wanted.limit, seconds, wanted.kills)
        plan = DepthPlan(
            examination.found, selection, limits, examination.durability, examination.extent
        )
        examination.warn(*warnings.limited(plan.total, plan.chosen))
        await widen(examination, self._lanes, plan.total)
        await examination.sweep(plan, wanted.depth, wanted.seed)
        examination.warn(*warnings.states_differ(plan.difference))
        examination.warn(*warnings.out_of_time(plan.left, plan.total))

    async def points(self) -> None:
        """The clean runs alone, for their cycle and moments."""
        async with self._examined() as examination:
            await examination.clean_runs()

    async def audit(self) -> None:
        """One clean run, for its totals; two where one is compared with the other."""
        self.bound = Bound((), 0)
        async with self._examined() as examination:
            await examination.clean_runs(wanted=CLEAN_RUNS if self.subject.against else 1)

    def result(self, *, complete: bool) -> tuple[Result, Verdict] | None:
        """What is known; None if the session did not come to its examination."""
        if self.examination is None:
            return None
        return self.examination.result(self.bound, complete=complete, seed=self.seed)

    @asynccontextmanager
    async def _examined(self, lanes: int = 1) -> AsyncGenerator[Examination, None]:
        subject = self.subject
        evidence = Evidence(subject.folder, self.run_id)
        wish = replace(
            self.stack,
            logs=evidence.folder("start"),
            answer_at=subject.answer_at,
            replicas=subject.replicas,
        )
        container = subject.container
        if meeting(subject, ()).beside:
            lanes = 1  # its names lead to one place
        if container is not None and subject.files:
            container = with_files(container, evidence.folder("files"))
        async with opened_stack(lanes, self.reporter, wish, container) as stack:
            refuse_untold(stack.housing, self._given, one_dies=subject.one_dies)
            examination = Examination(
                stack,
                stack.lanes,
                subject,
                self.reporter,
                self.run_id,
                Topics(subject, stack.environment),
                evidence,
            )
            with registry_served(subject.registry, stack.housing):
                try:
                    await examination.prepare()
                    self.examination = examination
                    yield examination
                finally:
                    await to_the_end(examination.close())


def with_files(container: Wish, files: Path) -> Wish:
    """The same container with the target's configuration files mounted."""
    volume = f"{files.absolute()}:{FILES_IN_CONTAINERS}:ro"
    return replace(container, volumes=(*container.volumes, volume))


@asynccontextmanager
async def opened_stack(
    lanes: int,
    reporter: progress.Reporter,
    wish: StackWish | None = None,
    container: Wish | None = None,
) -> AsyncGenerator[Stack, None]:
    """A stack and a place for targets, after what dead runs have left was removed.

    By default embedded, with targets on this machine. Raises EnvironmentFailed, and TargetError if
    the target's image cannot be built.
    """
    await asyncio.to_thread(RunFolder.clean_dead)

    def report(text: str) -> None:
        reporter.on(progress.Preparing(text))

    wish = wish or StackWish()
    choice = await chosen_stack(wish, report)
    environment = choice.environment
    async with (
        housing(container, report, wish.answer_at, wish.logs, wish.replicas) as house,
        Stack(environment, lanes, house, choice.another, replicas=wish.replicas) as stack,
    ):
        description = environment.description
        ready = progress.StackReady(environment.stack, description, stack.seconds, choice.reason)
        reporter.on(ready)
        yield stack
