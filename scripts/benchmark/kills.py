"""How many kills a minute one lane and four make, and where the time of a kill goes."""

from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

import pytest
from scripts.benchmark.figure import Better, Figure
from scripts.benchmark.share import harness_share

from killpoint.cli.progress import ProgressEvent
from killpoint.cli.result import ScenarioResult
from killpoint.cli.session.evidence import new_run_id
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.subject import Subject, sample_subject
from killpoint.cli.session.topics import Topics
from killpoint.compose.consumers.catalogue import SAMPLES
from killpoint.compose.container_wish import ContainerWish
from killpoint.faults.plan import Listed
from killpoint.faults.sweep import scenarios
from tests.support.languages import go_program
from tests.support.matrix import ORDERS, in_go

CONSUMER: Final = "count-then-save"
AIM: Final = 70.0
LANES: Final = 4
LANES_AIM: Final = 150.0
GO_AIM: Final = 500.0
PARTS: Final = ("to_moment", "restart", "drain", "audit")


class Silence:
    """A reporter that says nothing."""

    def on(self, event: ProgressEvent) -> None:
        """Take an event and leave it."""


async def kills(stack: Stack, limit: int | None) -> list[Figure]:
    """Kill a consumer at its moments (the first `limit`): in one lane, in four, and one in Go."""
    sample = next(sample for sample in SAMPLES if sample.name == CONSUMER)
    finished, seconds = await swept(stack, consumer(), limit)
    share = await harness_share(stack, sample, finished)
    four = await swept(stack, consumer(), limit, LANES)
    python = _in_lanes("python_4", LANES_AIM, CONSUMER, *four)
    spare = replace(consumer(), spare=True)
    one = _figure(*await swept(stack, spare, limit), spare=True)
    spares = await swept(stack, spare, limit, LANES)
    also = _in_lanes("python_4_spare", LANES_AIM, f"{CONSUMER} with a spare", *spares)
    return [_figure(finished, seconds), share, python, one, also, await _in_go(stack, limit)]


def consumer(container: ContainerWish | None = None) -> Subject:
    """The sample that is killed; `container`: in one of the stack's house."""
    sample = next(sample for sample in SAMPLES if sample.name == CONSUMER)
    return sample_subject(sample, container=container)


async def _in_go(stack: Stack, limit: int | None) -> Figure:
    with TemporaryDirectory() as folder:
        try:
            program = go_program(Path(folder))
        except pytest.skip.Exception as missing:
            how = str(missing)
            return Figure("kills_per_minute", None, GO_AIM, Better.HIGHER, how, "go_4")
        subject = in_go(ORDERS[0], program).subject()
        four = await swept(stack, subject, limit, LANES)
        return _in_lanes("go_4", GO_AIM, f"{CONSUMER} in Go (franz-go, pgx)", *four)


def _in_lanes(
    part: str, aim: float, name: str, finished: list[ScenarioResult], seconds: float
) -> Figure:
    return Figure(
        "kills_per_minute",
        60 * len(finished) / seconds,
        aim,
        Better.HIGHER,
        f"{len(finished)} kills of {name}, one at each moment, in {LANES} lanes on shared "
        "servers; scenario: the median seconds of one",
        part,
        {
            "scenario": round(median(one.seconds.total for one in finished), 3),
            "kills": len(finished),
        },
    )


async def swept(
    stack: Stack, subject: Subject, limit: int | None, lanes: int = 1
) -> tuple[list[ScenarioResult], float]:
    """Sweep the moments of a consumer on the first lanes.

    Returns what was finished, all of it reached, and the seconds that it took.
    """
    topics = Topics(subject, stack.environment)
    run = new_run_id()
    examination = Examination(stack, stack.lanes[:lanes], subject, Silence(), run, topics)
    try:
        await examination.prepare()
        if not await examination.clean_runs():
            raise SystemExit(f"bench: the clean run of {subject.name} is not clean")
        examination.share(lanes)
        began = monotonic()
        await examination.sweep(Listed(scenarios(examination.found, ("kill",))[:limit]))
        seconds = monotonic() - began
    finally:
        await examination.close()
        await stack.environment.broker.delete_topics(subject.topics)
    reached = [one for one in examination.finished if one.reached]
    if len(reached) < len(examination.finished):
        raise SystemExit(f"bench: only {len(reached)} moments of {examination.finished} reached")
    return reached, seconds


def _figure(finished: list[ScenarioResult], seconds: float, *, spare: bool = False) -> Figure:
    reached = [one.seconds for one in finished]
    values = {
        part: round(median(getattr(one, part) or 0.0 for one in reached), 3) for part in PARTS
    }
    rest = [one.total - sum(getattr(one, part) or 0.0 for part in PARTS) for one in reached]
    return Figure(
        "kills_per_minute",
        60 * len(finished) / seconds,
        AIM,
        Better.HIGHER,
        f"{len(finished)} kills of {CONSUMER}, one at each moment, one lane, "
        f"{'a spare that stands in' if spare else 'a cold restart'} each; "
        "below: the median seconds of the parts of one (rest: fresh database, kill, clean-up)",
        "python_1_spare" if spare else "python_1",
        {**values, "rest": round(median(rest), 3), "kills": len(finished)},
    )
