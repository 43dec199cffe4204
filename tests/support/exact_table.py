"""What killing at exact moments gives: the measured table as data, and the runs that show it.

Counterparts: `tests/system/test_exact_table.py` runs each cell once, the soak several times and
every moment. 12 clicks in batches of 3; the moments are those of the second batch, offsets 3 to 5.
"""

from collections.abc import Awaitable, Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from killpoint.checks.outcome import Outcome
from killpoint.cli.progress import ProgressEvent
from killpoint.cli.result import ScenarioResult
from killpoint.cli.session.evidence import Evidence, new_run_id
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.stack import Lane, Stack
from killpoint.cli.session.subject import sample_subject
from killpoint.cli.session.topics import Topics
from killpoint.compose.consumers.catalogue import SAMPLES, Sample
from killpoint.compose.container_wish import ContainerWish
from killpoint.faults.moment import Moment
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.plan import Listed
from killpoint.faults.scenario import Fault, Scenario

Damage = tuple[int, int]
"""Lost and counted twice."""
Look = Callable[[ScenarioResult], Awaitable[None]]

CONSUMERS: Final = ("count-then-save", "save-then-count", "offset-with-result")
TABLE: Final[Mapping[tuple[str, str], tuple[Damage | None, Damage | None, Damage | None]]] = {
    ("join", "after"): ((0, 0), (0, 0), (0, 0)),
    ("fetch", "after"): ((0, 0), (0, 0), (0, 0)),
    ("begin", "before"): ((0, 0), (3, 0), (0, 0)),
    ("begin", "after"): ((0, 0), (3, 0), (0, 0)),
    ("write", "before"): ((0, 0), (3, 0), (0, 0)),
    ("write", "after"): ((0, 0), (3, 0), (0, 0)),
    ("commit", "before"): ((0, 0), (3, 0), (0, 0)),
    ("commit", "after"): ((0, 3), (0, 0), (0, 0)),
    ("offset_commit", "before"): ((0, 3), (0, 0), None),
    ("offset_commit", "after"): ((0, 0), (3, 0), None),
}
"""Event and side, then the damage of a kill there to each of CONSUMERS; None: it has no such one.

Every batch has three events, so the batch makes no difference.
"""

MOMENTS: Final = (
    "kafka.join:after",
    'kafka.fetch{topic="clicks",partition=0,offset=3}:after',
    "postgres.begin#2:after",
    "postgres.write{transaction=2,statement=2}:after",
    "postgres.commit#2:before",
    "postgres.commit#2:after",
    'kafka.offset_commit{topic="clicks",partition=0,offset=6}:before',
    'kafka.offset_commit{topic="clicks",partition=0,offset=6}:after',
)
"""One of each row of the table, in the middle batch."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a kill of one consumer at one moment gives."""

    consumer: str
    at: Moment
    lost: int
    twice: int

    def __str__(self) -> str:
        return f"{self.consumer} at {self.at}: {self.lost} lost, {self.twice} counted twice"


@dataclass(frozen=True, slots=True)
class Shown:
    """A kill that was made: what the table says, and what came of it."""

    cell: Cell
    result: ScenarioResult

    @property
    def right(self) -> bool:
        """Whether the moment was reached and the damage is the table's, to the event."""
        (found,) = self.result.checks or (None,)
        if found is None or not self.result.reached or found.outcome is not self._outcome():
            return False
        return (found.lost, found.counted_twice) == (self.cell.lost, self.cell.twice)

    def __str__(self) -> str:
        found = [(one.lost, one.counted_twice) for one in self.result.checks]
        return f"{self.cell}, but {self.result.outcome} {found} ({self.result.reason})"

    def _outcome(self) -> Outcome:
        if self.cell.lost:
            return Outcome.LOST
        return Outcome.COUNTED_TWICE if self.cell.twice else Outcome.CLEAN


@dataclass(frozen=True, slots=True)
class Consumed:
    """All that was done with one consumer: its moments in the clean runs, and its kills."""

    found: tuple[Moment, ...]
    shown: tuple[Shown, ...]

    @property
    def wrong(self) -> list[str]:
        """The kills that gave something else than the table says."""
        return [str(one) for one in self.shown if not one.right]


def cell_of(consumer: str, at: Moment) -> Cell | None:
    """The table's cell of a moment; None if that consumer has no such moment."""
    damage = TABLE[at.event, at.side.value][CONSUMERS.index(consumer)]
    return None if damage is None else Cell(consumer, at, *damage)


def cells(consumer: str) -> Iterator[Cell]:
    """The cells of the table for one consumer."""
    for text in MOMENTS:
        cell = cell_of(consumer, parse_moment(text))
        if cell is not None:
            yield cell


class ExactTable:
    """Runs the table on a stack that may be shared, a lane by one consumer at a time."""

    def __init__(
        self,
        stack: Stack,
        evidence: Path | None = None,
        container: ContainerWish | None = None,
    ) -> None:
        """`evidence`: where the runs leave their histories, if they are to.

        `container`: the samples run in containers of this image; the stack has a house for them.
        """
        self._stack = stack
        self.evidence = evidence
        self._container = container
        # The samples only read, so all of them share one topic.
        clicks = sample_subject(_sample(CONSUMERS[0]))
        self._topics = Topics(clicks, stack.environment)

    async def consume(
        self,
        lane: Lane,
        consumer: str,
        *,
        every_moment: bool = False,
        repeat: int = 1,
        limit: int | None = None,
        events: Container[str] | None = None,
        spare: bool = False,
        after_each: Look | None = None,
    ) -> Consumed:
        """Make the clean runs of a consumer, then each kill of its table `repeat` times.

        `every_moment`: all that the clean runs found instead of one a row. `limit`: no more kills.
        `events`: only kills at these. `spare`: as in `[target]`.
        `after_each` is awaited after each kill. Raises AssertionError if a clean run is not clean.
        """
        sample = _sample(consumer)
        examination = self._examination(lane, sample, spare=spare)
        try:
            await examination.prepare()
            assert await examination.clean_runs(), examination.clean
            found = tuple(moment.at for moment in examination.found)
            wanted = (_chosen(consumer, found) if every_moment else [*cells(consumer)]) * repeat
            wanted = [cell for cell in wanted if events is None or cell.at.event in events][:limit]
            for number, cell in enumerate(wanted, 1):
                await examination.sweep(Listed([_scenario(number, cell)]))
                if after_each is not None:
                    await after_each(examination.finished[-1])
        finally:
            await examination.close()
        pairs = zip(wanted, examination.finished, strict=True)
        return Consumed(found, tuple(Shown(cell, result) for cell, result in pairs))

    def _examination(self, lane: Lane, sample: Sample, *, spare: bool) -> Examination:
        subject = replace(sample_subject(sample, container=self._container), spare=spare)
        run = f"{new_run_id()}-{sample.name}"
        evidence = Evidence(self.evidence, run) if self.evidence is not None else None
        return Examination(self._stack, [lane], subject, Silence(), run, self._topics, evidence)


def _sample(consumer: str) -> Sample:
    return next(sample for sample in SAMPLES if sample.name == consumer)


def _chosen(consumer: str, found: tuple[Moment, ...]) -> list[Cell]:
    chosen = [(at, cell_of(consumer, at)) for at in found]
    strange = [str(at) for at, cell in chosen if cell is None]
    assert not strange, f"{consumer} has moments that the table does not give it: {strange}"
    return [cell for _, cell in chosen if cell is not None]


def _scenario(number: int, cell: Cell) -> Scenario:
    return Scenario(f"S{number:03}", (Fault(cell.at, "kill"),))


class Silence:
    """A reporter that says nothing."""

    def on(self, event: ProgressEvent) -> None:
        """Take an event and leave it."""
