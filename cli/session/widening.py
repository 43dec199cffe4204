"""Widening: from the one lane of the clean runs to those of the sweep.

Counterpart: `lanes` decides how many there are and what they share; it is said in one line, and
done here.
"""

import asyncio

from killpoint.cli import progress
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.lanes import LaneWish, default_lanes, lanes_of
from killpoint.compose.machine import memory_available, processors


def lanes_wished(number: int | None) -> LaneWish:
    """At most so many lanes; without a number as many as the machine has room for."""
    memory = memory_available()
    return LaneWish(number or default_lanes(processors(), memory), number is not None, memory)


async def widen(examination: Examination, wish: LaneWish, scenarios: int) -> None:
    """Open the lanes for so many scenarios. Raises UserError or EnvironmentFailed."""
    seconds = examination.seconds_of(scenarios)
    lanes = lanes_of(wish, examination.meeting(), scenarios, seconds)
    if lanes.why:
        examination.reporter.on(progress.LanesChosen(lanes.why))
    if not lanes.own_servers:
        examination.share(lanes.count)
        return
    try:
        async with asyncio.TaskGroup() as group:
            for number in range(2, lanes.count + 1):
                group.create_task(examination.join(number))
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
