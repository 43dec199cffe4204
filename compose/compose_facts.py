"""Facts about Compose, and what a compose file would come to as the target's.

Counterparts: `docker_facts` has the rest of Docker; `killpoint doctor` and `killpoint check` print
them. Nothing is started.
"""

from killpoint.compose.compose_cli import (
    INSTALL,
    ComposeMissing,
    compose_version,
    read_compose_file,
)
from killpoint.compose.compose_plan import plan_of
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.facts import Fact
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.target import TargetError


async def compose_fact(*, needed: bool) -> Fact:
    """Whether Docker's command line has Compose."""
    try:
        return Fact("Compose", True, await compose_version())
    except ComposeMissing as error:
        return Fact("Compose", False, error.short, INSTALL, needed=needed)


async def service_facts(wish: ComposeWish) -> list[Fact]:
    """Compose, and the service: where it reaches its servers, and what is started beside it."""
    compose = await compose_fact(needed=True)
    if not compose.found:
        return [compose]
    name = f"service {wish.service}"
    try:
        plan = plan_of(await read_compose_file(wish.file), wish)
    except (TargetError, EnvironmentFailed) as error:
        return [compose, Fact(name, False, str(error))]
    return [compose, Fact(name, True, str(plan))]
