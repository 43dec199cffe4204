"""The same figures with Kafka and Postgres in containers, and with the consumer in one, too.

Counterparts: `starts` and `kills` measure the embedded stack, in the same run. Where there is no
engine, or no images, nothing is measured and the reason stands where the way of measuring would.
"""

import asyncio
from statistics import median
from typing import Final

from scripts.benchmark.figure import Better, Figure
from scripts.benchmark.kills import CONSUMER, Silence, consumer, swept
from scripts.benchmark.starts import MOMENT, STARTS, one_verdict

from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack_choice import StackWish
from killpoint.compose.container_wish import ContainerWish
from killpoint.compose.samples_image import SAMPLES_IMAGE
from killpoint.faults.environment import EnvironmentFailed

DOCKER: Final = StackWish("docker")
FIRST_KILL, STACK = "docker.first_kill_seconds", "docker.stack_seconds"
KILLS: Final = "docker.kills_per_minute"
SECONDS_AIM: Final = {FIRST_KILL: 16.0, STACK: 10.0}
"""The stack's, and that and the embedded first verdict's together."""
KILLS_AIM: Final = {"host_1": 40.0, "container_1": 20.0}


async def in_docker(limit: int | None) -> list[Figure]:
    """Measure it, with at most `limit` kills each."""
    try:
        stacks, host = await _kills(limit, None)
        again, container = await _kills(limit, ContainerWish(SAMPLES_IMAGE))
        first = [await asyncio.to_thread(one_verdict, "docker") for _ in range(STARTS)]
    except EnvironmentFailed as error:
        return _absent(str(error).partition(". ")[0])
    way = f"killpoint run --stack docker --at '{MOMENT}' on a project of `init`, to its exit line"
    return [
        _seconds(FIRST_KILL, first, f"{way}; median of {STARTS}"),
        _seconds(STACK, [stacks, again], "both servers until they serve, the images are there"),
        _rate("host_1", host, "the consumer a process of this machine"),
        _rate("container_1", container, "a new container for each start of the consumer"),
    ]


async def _kills(
    limit: int | None, container: ContainerWish | None
) -> tuple[float, tuple[int, float]]:
    """The seconds until the servers served; how many kills there were, and their seconds."""
    async with opened_stack(1, Silence(), DOCKER, container) as stack:
        finished, seconds = await swept(stack, consumer(container), limit)
        return stack.seconds, (len(finished), seconds)


def _seconds(name: str, seconds: list[float], how: str) -> Figure:
    values = {"seconds": [round(one, 2) for one in seconds]}
    return Figure(name, median(seconds), SECONDS_AIM[name], Better.LOWER, how, values=values)


def _rate(part: str, kills: tuple[int, float], where: str) -> Figure:
    number, seconds = kills
    how = f"{number} kills of {CONSUMER}, one at each moment, one lane, {where}"
    return Figure(
        KILLS, 60 * number / seconds, KILLS_AIM[part], Better.HIGHER, how, part, {"kills": number}
    )


def _absent(reason: str) -> list[Figure]:
    return [
        *(Figure(name, None, aim, Better.LOWER, reason) for name, aim in SECONDS_AIM.items()),
        *(Figure(KILLS, None, aim, Better.HIGHER, reason, part) for part, aim in KILLS_AIM.items()),
    ]
