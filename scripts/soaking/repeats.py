"""The same scenarios of every sample again and again in several lanes: each must come out the same.

The samples whose totals depend on a timer of their own say so: for them the range is printed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from scripts.soaking.outcomes import Outcomes
from scripts.soaking.sample_sweep import swept
from scripts.soaking.soak import Session

from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.stack_choice import EMBEDDED, StackWish
from killpoint.compose.consumers.catalogue import SAMPLES, Sample
from killpoint.faults.depth import Depth, Selection, selected
from killpoint.faults.scenario import Scenario
from killpoint.faults.sweep import SweepMoment
from tests.support.exact_table import Silence

KILLS: Final = 500
LANES: Final = 4
SEED: Final = "1"
DEPTHS: Final = (Depth.CLASSES, Depth.STATES)


async def repeats(session: Session, stack: str = EMBEDDED) -> None:
    """Turns of all samples at both depths, until there were enough kills."""
    wanted = session.limits.kills or KILLS
    seen = Outcomes()
    async with opened_stack(LANES, Silence(), StackWish(stack)) as opened:
        turn = 0
        while session.kills < wanted and not session.late():
            turn += 1
            for sample in SAMPLES:
                await _turn(session, opened, sample, DEPTHS[turn % len(DEPTHS)], seen)
    seen.print_ranges()


async def _turn(
    session: Session,
    stack: Stack,
    sample: Sample,
    depth: Depth,
    seen: Outcomes,
) -> None:
    """The scenarios of one sample, each twice, on all lanes."""

    def choose(found: Sequence[SweepMoment]) -> list[Scenario]:
        return list(_twice(selected(found, Selection(depth, sample.actions, SEED))))

    found = await swept(session, stack, sample, len(stack.lanes), choose)
    if found is None:
        return
    wrong = list(seen.varied(sample.name, found.finished))
    print(f"  {sample.name}, {depth}: {len(found.finished)} kills", flush=True)
    session.saw(len(found.finished), wrong)


def _twice(chosen: Sequence[Scenario]) -> Iterator[Scenario]:
    for scenario in chosen:
        yield scenario
        yield replace(scenario, id=f"{scenario.id}b")
