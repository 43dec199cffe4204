"""Kills mixed at random over samples, depths, lanes and stacks: each verdict is the right one.

A turn is a sweep of one sample: to a depth, on so many lanes, on the embedded stack or in
containers, with the consumer as a process or in a container. Counterpart: `repeats`, which asks
only that the same scenarios come out the same. Of all moments a turn takes some, by the seed.
"""

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from random import Random
from typing import Final

from scripts.soaking.outcomes import TIMED, Outcomes
from scripts.soaking.sample_sweep import swept
from scripts.soaking.soak import Session

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.result import Bound, ScenarioResult
from killpoint.cli.session.results import outcome_words
from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.stack_choice import DOCKER, EMBEDDED, StackWish
from killpoint.compose.consumers.catalogue import SAMPLES, Sample
from killpoint.compose.container_wish import ContainerWish
from killpoint.compose.samples_image import samples_wish
from killpoint.faults.depth import Depth, Selection, selected
from killpoint.faults.scenario import Scenario
from killpoint.faults.sweep import SweepMoment
from tests.support.exact_table import Silence

KILLS: Final = 1000
LANES: Final = 4
SOME_MOMENTS: Final = 12
"""Of the moments of a sample, which has about a hundred."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn can run: a stack that is up, and the consumer's container, if it is in one."""

    name: str
    stack: Stack
    container: ContainerWish | None


async def mixed(session: Session) -> None:
    """Turns at random until there were enough kills. Without an engine all is embedded: it says."""
    seed = session.drawn_seed()
    wanted, random, outcomes = session.limits.kills or KILLS, Random(seed), Outcomes()
    image = await samples_wish()
    async with AsyncExitStack() as opened:
        kinds: list[tuple[str, str, ContainerWish | None]] = [("embedded", EMBEDDED, None)]
        if image is not None:
            kinds += [("docker", DOCKER, None), ("all in containers", DOCKER, image)]
        places = [
            Place(
                name,
                await opened.enter_async_context(
                    opened_stack(LANES, Silence(), StackWish(kind), container)
                ),
                container,
            )
            for name, kind, container in kinds
        ]
        print(f"  seed {seed}, {wanted} kills, {', '.join(p.name for p in places)}", flush=True)
        while session.kills < wanted and not session.late():
            await _turn(session, random, random.choice(places), outcomes)
    outcomes.print_ranges()


async def _turn(session: Session, random: Random, place: Place, outcomes: Outcomes) -> None:
    """One sweep of a sample."""
    sample, depth = random.choice(SAMPLES), random.choice(list(Depth))
    lanes, seed = random.randint(1, LANES), str(random.randrange(10**6))
    what = f"{sample.name}, {depth}, {lanes} lanes, {place.name}"

    def choose(found: Sequence[SweepMoment]) -> list[Scenario]:
        chosen = selected(found, Selection(depth, sample.actions, seed))
        if depth is Depth.MOMENTS:
            return random.sample(chosen, min(SOME_MOMENTS, len(chosen)))
        return chosen

    found = await swept(session, place.stack, sample, lanes, choose, place.container)
    if found is None:
        return
    result, _ = found.result(Bound(sample.actions, 1, depth))
    done = found.finished
    wrong = [f"{what}: {line}" for line in _wrong(sample, depth, done, result.guarantee)]
    print(f"  {what}: {len(done)} kills, {result.guarantee}", flush=True)
    session.saw(len(done), [*wrong, *outcomes.varied(sample.name, done)])


def _wrong(
    sample: Sample, depth: Depth, finished: Sequence[ScenarioResult], given: Guarantee | None
) -> Iterator[str]:
    """What is no right verdict of this sample; some moments alone may show it better than it is."""
    for one in finished:
        at = one.faults[0].at
        if one.required and one.outcome is Outcome.INCONCLUSIVE:
            yield f"{at}: inconclusive: {one.reason}"
        if one.unexplained:
            yield f"{at}: {outcome_words(one)}, unexplained"
    right = Guarantee(sample.guarantee)
    whole = depth is not Depth.MOMENTS and sample.name not in TIMED
    if given is None or not given.meets(right) or (whole and given is not right):
        yield f"{given or 'no verdict'} is said of it, and it gives {right}"
