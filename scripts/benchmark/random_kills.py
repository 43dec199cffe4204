"""Killing at random times, as people do, against killpoint: how long until the double count shows.

The loop is what a script would do: start the consumer on fresh totals, wait for a random time, kill
it, start it again, wait until it has nothing left to do, compare the totals.
"""

import asyncio
import os
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from time import monotonic
from typing import Final

from scripts.benchmark.figure import Better, Figure
from scripts.benchmark.starts import one_verdict

from killpoint.cli.session.stack import Stack
from killpoint.compose.consumers.catalogue import SAMPLES, clicks
from killpoint.faults.environment import Login
from killpoint.faults.record import Record

AIM: Final = 50.0
TRIES: Final = 3
STOP: Final = 60.0
"""Times killpoint's own: what was not found by then counts as found then."""
CONSUMER: Final = "count-then-save"
SEED: Final = 1
LOOK_SECONDS: Final = 0.1
LOOKS: Final = 1200
"""Two minutes: a group waits for the dead member's session to end."""


async def random_kill_ratio(stack: Stack) -> Figure:
    """Three such loops side by side, each on a topic and a database of its own."""
    ours = await asyncio.to_thread(one_verdict, "embedded")
    limit = STOP * ours
    chance = random.Random(SEED)
    tries = [Loop(stack, f"random{n}", random.Random(chance.random()), limit) for n in range(TRIES)]
    found = await asyncio.gather(*(one.until_found() for one in tries))
    ratios = [min(STOP, seconds / ours) for seconds in found]
    return Figure(
        "random_kill_ratio",
        median(ratios),
        AIM,
        Better.HIGHER,
        f"seconds until a double count of {CONSUMER} shows: killing at random times ÷ killpoint's "
        f"first verdict; {TRIES} tries side by side, stopped at {STOP:g} (at least that, then)",
        values={
            "ratios": [round(ratio, 1) for ratio in ratios],
            "killpoint_seconds": round(ours, 1),
            "rounds": [one.rounds for one in tries],
        },
    )


@dataclass(slots=True)
class Loop:
    """One try. `limit`: seconds after which it gives up."""

    stack: Stack
    name: str
    chance: random.Random
    limit: float
    rounds: int = 0
    usual: float = 0.0

    async def until_found(self) -> float:
        """Seconds until the totals were too high; the limit if they never were."""
        began = monotonic()
        self.usual = await self._round(None) or 1.0
        while monotonic() - began < self.limit:
            self.rounds += 1
            await self._round(self.chance.uniform(0.0, self.usual))
            if await self._counted() > len(self._records()):
                return monotonic() - began
        return self.limit

    async def _round(self, kill_after: float | None) -> float:
        """One life or two; returns the seconds until everything was counted."""
        broker, database = self.stack.environment.broker, self.stack.environment.database
        await broker.delete_topics([self.name])
        await broker.create_topics({self.name: 1})
        await broker.produce(self._records())
        await database.drop(self.name)
        await database.create(self.name)
        sample = next(sample for sample in SAMPLES if sample.name == CONSUMER)
        await database.execute(self.name, sample.schema)
        began = monotonic()
        if kill_after is not None:
            process = await self._start()
            await asyncio.sleep(kill_after)
            process.kill()
            await process.wait()
        process = await self._start()
        try:
            for _ in range(LOOKS):
                if await self._counted() >= len(self._records()):
                    break
                await asyncio.sleep(LOOK_SECONDS)
            seconds = monotonic() - began
            await self._saved()
        finally:
            process.terminate()
            await process.wait()
        return seconds

    @property
    def _group(self) -> str:
        """One for each round: the dead member of the one before may still be in its own."""
        return f"{self.name}-{self.rounds}"

    async def _saved(self) -> None:
        """Wait until the last offset is saved, as every such script does by waiting."""
        broker, wanted = self.stack.environment.broker, len(self._records())
        for _ in range(LOOKS):
            if max((await broker.committed(self._group)).values(), default=0) >= wanted:
                break
            await asyncio.sleep(LOOK_SECONDS)

    async def _start(self) -> asyncio.subprocess.Process:
        sample = next(sample for sample in SAMPLES if sample.name == CONSUMER)
        return await asyncio.create_subprocess_exec(
            sys.executable, str(sample.path), env={**os.environ, **self._variables()}
        )

    def _variables(self) -> Mapping[str, str]:
        direct = self.stack.environment.broker.direct
        login: Login = self.stack.environment.database.login(self.name)
        return {
            "KAFKA_BOOTSTRAP_SERVERS": f"{direct.host}:{direct.port}",
            "DATABASE_URL": f"postgresql://{login.user}:{login.password}@{login.host}:{login.port}"
            f"/{login.database}",
            "KILLPOINT_TOPIC": self.name,
            "KILLPOINT_GROUP": self._group,
        }

    def _records(self) -> tuple[Record, ...]:
        return clicks(self.name)

    async def _counted(self) -> int:
        sql = "select coalesce(sum(clicks), 0) from click_counts"
        _, rows = await self.stack.environment.database.query(self.name, sql)
        return int(str(rows[0][0]))
