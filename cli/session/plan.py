"""The plan of a session: what would run, on what, and for how long. Nothing is started or pulled.

Counterpart: `killpoint check` prints it; `report/plan.py` has its words.
"""

import asyncio
from dataclasses import dataclass

from killpoint.cli.session.lanes import LaneWish, Meeting, meeting
from killpoint.cli.session.session import Wanted
from killpoint.cli.session.shown import LastRun, last_run
from killpoint.cli.session.stack_choice import DOCKER, EMBEDDED, StackWish, chosen_stack
from killpoint.cli.session.subject import Subject
from killpoint.cli.session.widening import lanes_wished
from killpoint.compose.compose_facts import service_facts
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.container_wish import ContainerWish
from killpoint.compose.docker_facts import image_facts
from killpoint.compose.facts import Fact, facts


@dataclass(frozen=True, slots=True)
class Plan:
    """`events` is None where a program makes them; `scenarios` are those of the file.

    `reason`: why this stack, "" if it was asked for. `facts`: what the stack and the target need.
    `meeting`: where targets of several lanes would meet, as far as it is known.
    """

    stack: str
    reason: str
    facts: tuple[Fact, ...]
    scenarios: int
    wanted: Wanted
    lanes: LaneWish
    meeting: Meeting
    requirement: str | None
    events: int | None
    last: LastRun | None

    @property
    def possible(self) -> bool:
        """Nothing that is needed is missing."""
        return not any(fact.in_the_way for fact in self.facts)


async def plan_of(subject: Subject, wish: StackWish, wanted: Wanted) -> Plan:
    """What would run if it were run now."""
    choice = await chosen_stack(wish, lambda text: None)
    stack = choice.environment.stack
    made = any(source.produce is not None for source in subject.sources)
    last = await asyncio.to_thread(last_run, subject.folder)
    return Plan(
        stack,
        choice.reason,
        tuple(await _needs(subject, wish, stack)),
        len(subject.scenarios),
        wanted,
        lanes_wished(wanted.lanes),
        last.shown.meeting if last else meeting(subject, ()),
        subject.requirement.value if subject.requirement else None,
        None if made else sum(len(source.records) for source in subject.sources),
        last,
    )


async def _needs(subject: Subject, wish: StackWish, stack: str) -> list[Fact]:
    images = dict(wish.servers.images) if stack == DOCKER else {}
    target, own = subject.container, await asyncio.to_thread(facts) if stack == EMBEDDED else []
    if isinstance(target, ContainerWish) and target.image is not None:
        images["[target] image"] = target.image
    contained = bool(images) or target is not None
    found = [*own, *(await image_facts(images) if contained else [])]
    return [*found, *(await service_facts(target) if isinstance(target, ComposeWish) else [])]
