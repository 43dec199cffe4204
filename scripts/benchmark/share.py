"""What a scenario costs beside what its target would need anyway: two starts and the work."""

import asyncio
from collections.abc import Sequence
from statistics import median
from time import monotonic
from typing import Final

from scripts.benchmark.figure import Better, Figure

from killpoint.cli.result import ScenarioResult
from killpoint.cli.session.evidence import new_run_id
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.subject import DEMO_TOPIC, Subject, sample_subject
from killpoint.cli.session.topics import Topics
from killpoint.cli.session.world import World
from killpoint.compose.consumers.catalogue import Sample
from killpoint.faults.position import Position

AIM: Final = 1.3
TRIES: Final = 5
LIMIT_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.002


async def harness_share(stack: Stack, sample: Sample, finished: Sequence[ScenarioResult]) -> Figure:
    """Run the sample alone, past the proxies, and compare with its scenarios."""
    subject = sample_subject(sample)
    run, topics = f"{new_run_id()}-bare", Topics(subject, stack.environment)
    world = World(subject, stack.environment, run, topics)
    await world.prepare()
    tries = [await _bare(world, subject, sample, number) for number in range(TRIES)]
    await world.drop()
    await stack.environment.broker.delete_topics(subject.topics)
    first, work = median(one for one, _ in tries), median(rest for _, rest in tries)
    scenario = median(one.seconds.total for one in finished)
    return Figure(
        "harness_share",
        scenario / (2 * first + work),
        AIM,
        Better.LOWER,
        f"median seconds of a scenario of {sample.name} ÷ (two starts to the first rows + the rest "
        f"of the work, of the program alone, past the proxies; medians of {TRIES})",
        values={
            "scenario": round(scenario, 3),
            "start": round(first, 3),
            "work": round(work, 3),
        },
    )


async def _bare(world: World, subject: Subject, sample: Sample, number: int) -> tuple[float, float]:
    """Seconds from the start to the first rows, and from there to the last."""
    environment, group = world.environment, f"bench-bare-{number}"
    database = world.database_of(f"bare_{number}")
    await environment.database.create(database, world.template)
    await environment.broker.commit_offsets(group, [Position(DEMO_TOPIC, 0, 0)])
    login = environment.database.login(database)
    launch = subject.launch(subject.command, environment.broker.direct, login, group)
    began = monotonic()
    process = await asyncio.create_subprocess_exec(
        *launch.command,
        env=dict(launch.environment),
        cwd=subject.folder,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            first = await _counted(world, sample, database, 1) - began
            last = await _counted(world, sample, database, world.topics.ledger.count) - began
    finally:
        process.kill()
        await process.wait()
        await environment.database.drop(database)
    return first, last - first


async def _counted(world: World, sample: Sample, database: str, wanted: int) -> float:
    """Wait until so many events are counted; gives the time."""
    while True:
        _, rows = await world.environment.database.query(database, sample.check.actual)
        if sum(int(str(row[-1])) for row in rows) >= wanted:
            return monotonic()
        await asyncio.sleep(LOOK_SECONDS)
