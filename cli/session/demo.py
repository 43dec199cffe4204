"""The demo's session: every sample consumer examined, several side by side on one stack."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from killpoint.cli import progress
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.result import Bound
from killpoint.cli.session.evidence import new_run_id
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Lane, Stack
from killpoint.cli.session.stack_choice import DOCKER, StackWish
from killpoint.cli.session.subject import sample_subject
from killpoint.cli.session.topics import Topics
from killpoint.cli.session.widening import lanes_wished
from killpoint.compose.consumers.catalogue import BATCH, Sample
from killpoint.compose.container_wish import ContainerWish
from killpoint.compose.samples_image import SAMPLES_IMAGE, samples_wish
from killpoint.faults.plan import Listed
from killpoint.faults.scenario import Scenario
from killpoint.faults.sweep import middle_batch, scenarios
from killpoint.faults.to_the_end import to_the_end

LANES = 3


@dataclass(slots=True)
class Demo:
    """`reader` gives the reader of one sample's events; `full` sweeps every batch."""

    samples: Sequence[Sample]
    reporter: progress.Reporter
    reader: Callable[[Sample], progress.Reporter]
    full: bool = False
    stack: StackWish = field(default_factory=StackWish)
    run_id: str = field(default_factory=new_run_id)
    _container: ContainerWish | None = None

    async def go(self) -> None:
        """Examine all samples in their order, as many at a time as there are lanes."""
        waiting = list(self.samples)
        self._container = await self._place()
        lanes = min(LANES, lanes_wished(None).lanes)
        async with opened_stack(lanes, self.reporter, self.stack, self._container) as stack:
            # Every sample only reads the clicks, so they all share one topic.
            topics = Topics(sample_subject(self.samples[0]), stack.environment)
            workers = [self._work(stack, lane, topics, waiting) for lane in stack.lanes]
            try:
                async with asyncio.TaskGroup() as group:
                    for worker in workers:
                        group.create_task(worker)
            except BaseExceptionGroup as failures:
                raise failures.exceptions[0] from None

    async def _place(self) -> ContainerWish | None:
        """With the servers in containers the consumers are, too, if the engine has their image."""
        if self.stack.kind != DOCKER:
            return None
        wish = await samples_wish()
        where = "as processes of this machine" if wish is None else "in containers"
        there = "is not there" if wish is None else "is there"
        text = f"the consumers run {where}: their image {SAMPLES_IMAGE} {there}"
        self.reporter.on(progress.Preparing(text))
        return wish

    async def _work(self, stack: Stack, lane: Lane, topics: Topics, waiting: list[Sample]) -> None:
        while waiting:
            await self._examine(stack, lane, topics, waiting.pop(0))

    async def _examine(self, stack: Stack, lane: Lane, topics: Topics, sample: Sample) -> None:
        began, reader = monotonic(), self.reader(sample)
        subject = sample_subject(sample, container=self._container)
        run_id = f"{self.run_id}-{sample.name}"
        examination = Examination(stack, [lane], subject, reader, run_id, topics)
        bound = Bound(sample.actions, 1, "moments")
        complete = False
        try:
            await examination.prepare()
            if await examination.clean_runs():
                await examination.sweep(Listed(self._scenarios(examination, sample)))
            complete = True
        finally:
            await to_the_end(examination.close())
            result, verdict = examination.result(bound, complete=complete)
            code = ExitCode(int(verdict.exit_code)) if complete else ExitCode.INTERRUPTED
            reader.on(progress.VerdictGiven(result, code, monotonic() - began))

    def _scenarios(self, examination: Examination, sample: Sample) -> list[Scenario]:
        found = examination.found
        per_batch = BATCH if sample.one_by_one else 1
        chosen = found if self.full else middle_batch(found, per_batch)
        return scenarios(chosen, sample.actions)
