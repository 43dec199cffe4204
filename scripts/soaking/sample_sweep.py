"""One sweep of a sample on a stack that is up: prepared, its clean runs, the chosen scenarios.

Counterparts: `repeats` and `mixed` choose the scenarios and judge what came out.
"""

from collections.abc import Callable, Sequence

from scripts.soaking.soak import Session

from killpoint.cli.session.evidence import new_run_id
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.subject import sample_subject
from killpoint.cli.session.topics import Topics
from killpoint.compose.consumers.catalogue import Sample
from killpoint.compose.container_wish import ContainerWish
from killpoint.faults.plan import Listed
from killpoint.faults.scenario import Scenario
from killpoint.faults.sweep import SweepMoment
from tests.support.exact_table import Silence

Choice = Callable[[Sequence[SweepMoment]], Sequence[Scenario]]


async def swept(
    session: Session,
    stack: Stack,
    sample: Sample,
    lanes: int,
    choose: Choice,
    container: ContainerWish | None = None,
) -> Examination | None:
    """The examination with its scenarios done; None after a clean run that was not: it is told."""
    subject = sample_subject(sample, container=container)
    await stack.environment.broker.delete_topics(subject.topics)
    topics = Topics(subject, stack.environment)
    found = Examination(stack, stack.lanes, subject, Silence(), new_run_id(), topics)
    try:
        await found.prepare()
        if not await found.clean_runs():
            session.saw(0, [f"{sample.name}: a clean run was {found.clean[-1].outcome}"])
            return None
        found.share(lanes)
        await found.sweep(Listed(list(choose(found.found))))
    finally:
        await found.close()
    return found
