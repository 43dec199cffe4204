"""How a sweep grows with the events: the number of its scenarios must not, nor the memory."""

from collections.abc import Iterator
from functools import partial
from time import monotonic
from typing import Final

from scripts.benchmark.figure import Better, Figure
from scripts.benchmark.kills import CONSUMER, Silence
from scripts.soaking.memory import mib, resident

from killpoint.cli.session.evidence import new_run_id
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.subject import sample_subject
from killpoint.cli.session.topics import Topics
from killpoint.compose.consumers.catalogue import SAMPLES, clicks
from killpoint.faults.depth import Depth, Selection
from killpoint.faults.depth_plan import DepthPlan

EVENTS: Final = (12, 120, 1200, 12000)
AIM: Final = 2.0
SEED: Final = "1"


async def growth(stack: Stack) -> list[Figure]:
    """Sweep one consumer to the depth of classes, for ten times as many events each time."""
    return [await _figure(stack, events) for events in EVENTS]


async def _figure(stack: Stack, events: int) -> Figure:
    sample = next(sample for sample in SAMPLES if sample.name == CONSUMER)
    subject = sample_subject(sample, partial(clicks, count=events))
    await stack.environment.broker.delete_topics(subject.topics)
    topics = Topics(subject, stack.environment)
    found = Examination(stack, stack.lanes[:1], subject, Silence(), new_run_id(), topics)
    try:
        await found.prepare()
        if not await found.clean_runs():
            raise SystemExit(f"bench: the clean run of {CONSUMER} is not clean")
        wanted = Selection(Depth.CLASSES, ("kill",), SEED)
        plan = DepthPlan(found.found, wanted, None, found.durability, found.extent)
        began = monotonic()
        await found.sweep(plan)
        seconds = monotonic() - began
    finally:
        await found.close()
    return Figure(
        "growth",
        seconds / (plan.total * found.clean_seconds),
        AIM,
        Better.LOWER,
        f"{events} events: time of the sweep ÷ (scenarios × time of a clean run), depth classes, "
        f"{CONSUMER}, one lane",
        str(events),
        dict(_values(found, plan, seconds)),
    )


def _values(found: Examination, plan: DepthPlan, seconds: float) -> Iterator[tuple[str, object]]:
    yield "moments", len(found.found)
    yield "scenarios", plan.total
    yield "sweep_seconds", round(seconds, 1)
    yield "clean_seconds", round(found.clean_seconds, 2)
    yield "resident", mib(resident())
