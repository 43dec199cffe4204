"""The stack alone, without a target: for a person to play with, until it is interrupted.

Counterpart: `killpoint up` prints what is told here. Nothing is stopped or killed, and no offset is
set; the database is empty.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from killpoint.cli import progress
from killpoint.cli.config.placeholders import url
from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.stack_choice import StackWish
from killpoint.faults.gate import Gate, GateRules
from killpoint.faults.history import Entry, History, Note
from killpoint.faults.naming import names
from killpoint.faults.watch import Watch

DATABASE = "killpoint"


@dataclass(frozen=True, slots=True)
class Door:
    """How one server is reached: past the proxies, and through them."""

    server: str
    direct: str
    through: str


class Passing(History):
    """A history that tells each entry's moments and keeps nothing."""

    def __init__(self, tell: Callable[[float, str], None]) -> None:
        super().__init__()
        self._tell = tell

    def add(self, line: Entry | Note) -> None:
        """Tell the moments of an entry, each with its time."""
        if isinstance(line, Entry):
            for moment in names(line.sightings):
                self._tell(line.seconds, str(moment))


async def stand(
    wish: StackWish,
    reporter: progress.Reporter,
    opened: Callable[[Sequence[Door]], None],
    tell: Callable[[float, str], None],
) -> None:
    """Keep a stack until cancelled; `opened` is given its addresses. Raises EnvironmentFailed."""
    async with opened_stack(1, reporter, wish) as stack:
        await stack.environment.database.create(DATABASE)
        watch = Watch(Gate((), GateRules(from_start=True)), _ready)
        watch.history = Passing(tell)
        watch.started()
        lane = stack.lanes[0]
        lane.kafka.watch = lane.postgres.watch = watch
        opened(_doors(stack))
        await asyncio.Event().wait()


async def _ready(group: str) -> None:
    """A group starts where it wants to."""


def _doors(stack: Stack) -> list[Door]:
    lane, environment = stack.lanes[0], stack.environment
    kafka, postgres = lane.kafka.address, lane.postgres.address
    assert kafka is not None and postgres is not None, "the stack was not started"
    login = environment.database.login(DATABASE)
    through = replace(login, host=postgres.host, port=postgres.port)
    return [
        Door("kafka", str(environment.broker.direct), str(kafka)),
        Door("postgres", url(login), url(through)),
    ]
