"""How many kills a minute one lane makes, and where the time of a kill goes."""

from statistics import median
from time import monotonic
from typing import Final

from scripts.benchmark.figure import Better, Figure

from killpoint.cli.progress import ProgressEvent
from killpoint.cli.result import ScenarioResult
from killpoint.cli.session.evidence import new_run_id
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.subject import sample_subject
from killpoint.cli.session.topics import Topics
from killpoint.compose.consumers.catalogue import SAMPLES
from killpoint.compose.container_wish import ContainerWish
from killpoint.faults.plan import Listed
from killpoint.faults.sweep import scenarios

CONSUMER: Final = "count-then-save"
AIM: Final = 55.0
PARTS: Final = ("to_moment", "restart", "drain", "audit")


class Silence:
    """A reporter that says nothing."""

    def on(self, event: ProgressEvent) -> None:
        """Take an event and leave it."""


async def kills(stack: Stack, limit: int | None) -> Figure:
    """Kill the sample consumer at its moments (the first `limit`)."""
    return _figure(*await swept(stack, limit))


async def swept(
    stack: Stack, limit: int | None, container: ContainerWish | None = None
) -> tuple[list[ScenarioResult], float]:
    """Sweep its moments on the first lane, in a container of the stack's house if that is wished.

    Returns what was finished, all of it reached, and the seconds that it took.
    """
    sample = next(sample for sample in SAMPLES if sample.name == CONSUMER)
    subject = sample_subject(sample, container=container)
    topics = Topics(subject, stack.environment)
    run = new_run_id()
    examination = Examination(stack, stack.lanes[:1], subject, Silence(), run, topics)
    try:
        await examination.prepare()
        if not await examination.clean_runs():
            raise SystemExit(f"bench: the clean run of {CONSUMER} is not clean")
        began = monotonic()
        await examination.sweep(Listed(scenarios(examination.found, ("kill",))[:limit]))
        seconds = monotonic() - began
    finally:
        await examination.close()
    reached = [one for one in examination.finished if one.reached]
    if len(reached) < len(examination.finished):
        raise SystemExit(f"bench: only {len(reached)} moments of {examination.finished} reached")
    return reached, seconds


def _figure(finished: list[ScenarioResult], seconds: float) -> Figure:
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
        f"{len(finished)} kills of {CONSUMER}, one at each moment, one lane, a cold restart each; "
        "below: the median seconds of the parts of one (rest: fresh database, kill, clean-up)",
        "python_1",
        {**values, "rest": round(median(rest), 3), "kills": len(finished)},
    )
