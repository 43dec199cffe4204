"""The same scenarios of every sample again and again in several lanes: each must come out the same.

The samples whose totals depend on a timer of their own say so: for them the range is printed.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from scripts.soaking.soak import Session

from killpoint.cli.result import ScenarioResult
from killpoint.cli.session.evidence import new_run_id
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.results import outcome_words
from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.stack_choice import EMBEDDED, StackWish
from killpoint.cli.session.subject import sample_subject
from killpoint.cli.session.topics import Topics
from killpoint.compose.consumers.catalogue import SAMPLES, Sample
from killpoint.faults.depth import Depth, Selection, selected
from killpoint.faults.plan import Listed
from killpoint.faults.scenario import Scenario
from tests.support.exact_table import Silence

KILLS: Final = 500
LANES: Final = 4
SEED: Final = "1"
DEPTHS: Final = (Depth.CLASSES, Depth.STATES)
TIMED: Final = frozenset({"auto-commit"})


async def repeats(session: Session, stack: str = EMBEDDED) -> None:
    """Turns of all samples at both depths, until there were enough kills."""
    wanted = session.limits.kills or KILLS
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    async with opened_stack(LANES, Silence(), StackWish(stack)) as opened:
        turn = 0
        while session.kills < wanted and not session.late():
            turn += 1
            for sample in SAMPLES:
                await _turn(session, opened, sample, DEPTHS[turn % len(DEPTHS)], seen)
    for (name, at), outcomes in sorted(seen.items()):
        if name in TIMED and len(outcomes) > 1:
            print(f"  {name}, depends on its timer: {at}: {' | '.join(sorted(outcomes))}")


async def _turn(
    session: Session,
    stack: Stack,
    sample: Sample,
    depth: Depth,
    seen: dict[tuple[str, str], set[str]],
) -> None:
    """The scenarios of one sample, each twice, on all lanes."""
    subject = sample_subject(sample)
    await stack.environment.broker.delete_topics(subject.topics)
    topics = Topics(subject, stack.environment)
    found = Examination(stack, stack.lanes, subject, Silence(), new_run_id(), topics)
    try:
        await found.prepare()
        if not await found.clean_runs():
            session.saw(0, [f"{sample.name}: a clean run was {found.clean[-1].outcome}"])
            return
        found.share(len(stack.lanes))
        chosen = selected(found.found, Selection(depth, sample.actions, SEED))
        await found.sweep(Listed(list(_twice(chosen))))
    finally:
        await found.close()
    wrong = list(_varied(sample, found.finished, seen))
    print(f"  {sample.name}, {depth}: {len(found.finished)} kills", flush=True)
    session.saw(len(found.finished), wrong)


def _twice(chosen: Sequence[Scenario]) -> Iterator[Scenario]:
    for scenario in chosen:
        yield scenario
        yield replace(scenario, id=f"{scenario.id}b")


def _varied(
    sample: Sample, finished: Sequence[ScenarioResult], seen: dict[tuple[str, str], set[str]]
) -> Iterator[str]:
    """Outcomes that differ from an earlier one of the same moment and action."""
    for one in finished:
        fault = one.faults[0]
        at = f"{fault.action} at {fault.at}"
        outcomes = seen[sample.name, at]
        words = outcome_words(one)
        if outcomes and words not in outcomes and sample.name not in TIMED:
            yield f"{sample.name} {at}: {words or one.reason}, was {' | '.join(outcomes)}"
        outcomes.add(words)
