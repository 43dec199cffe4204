"""Handing scenarios to lanes: numbers, waiting for what others find, and the end."""

import asyncio
from dataclasses import dataclass, field

from killpoint.cli.session.handout import Handout
from killpoint.faults.history import History
from killpoint.faults.plan import Listed, Ran, Struck
from killpoint.faults.scenario import Scenario

FIRST, AGAIN = Scenario("S01"), Scenario("S02")


@dataclass(frozen=True, slots=True)
class Over:
    scenario: Scenario
    history: History = field(default_factory=History)
    faults: tuple[Struck, ...] = ()


@dataclass(slots=True)
class Curious:
    """A plan that wants a second scenario once the first was lost."""

    waiting: list[Scenario] = field(default_factory=lambda: [FIRST])
    asked_at: list[float] = field(default_factory=list[float])

    @property
    def total(self) -> int:
        return 1

    def next(self, seconds: float) -> Scenario | None:
        self.asked_at.append(seconds)
        return self.waiting.pop() if self.waiting else None

    def finished(self, record: Ran, outcome: str) -> None:
        if record.scenario is FIRST and outcome == "lost":
            self.waiting.append(AGAIN)


async def test_numbers_go_on_from_the_first() -> None:
    handout = Handout(Listed([FIRST, AGAIN]), 7)
    assert await handout.take() == (7, FIRST)
    assert await handout.take() == (8, AGAIN)
    handout.finished(7, Over(FIRST), "clean")
    handout.finished(8, Over(AGAIN), "clean")
    assert await handout.take() is None


async def test_a_lane_waits_while_another_may_find_more_to_do() -> None:
    handout = Handout(Curious())
    assert await handout.take() == (1, FIRST)
    waiting = asyncio.ensure_future(handout.take())
    await asyncio.sleep(0)
    assert not waiting.done()
    handout.finished(1, Over(FIRST), "lost")
    assert await waiting == (2, AGAIN)
    handout.finished(2, Over(AGAIN), "clean")
    assert await handout.take() is None


async def test_lanes_that_wait_end_with_the_sweep() -> None:
    handout = Handout(Curious())
    await handout.take()
    waiting = [asyncio.ensure_future(handout.take()) for _ in range(2)]
    await asyncio.sleep(0)
    handout.finished(1, Over(FIRST), "clean")
    assert await asyncio.gather(*waiting) == [None, None]


async def test_the_plan_is_told_how_long_the_sweep_has_been_going() -> None:
    now = [100.0]
    plan = Curious()
    handout = Handout(plan, clock=lambda: now[0])
    await handout.take()
    now[0] = 102.5
    handout.finished(1, Over(FIRST), "clean")
    await handout.take()
    assert plan.asked_at == [0.0, 2.5]


async def test_runs_beside_one_that_disturbs_are_made_again_one_at_a_time() -> None:
    scenarios = [Scenario(f"S{number}") for number in range(1, 5)]
    handout = Handout(Listed(scenarios))
    for _ in range(2):
        await handout.take()
    assert handout.finished(1, Over(scenarios[0]), "clean") == set()
    assert await handout.take() == (3, scenarios[2])
    # 2 began before 1 was over, and 3 is still under way.
    assert handout.finished(2, Over(scenarios[1]), "lost", disturbs=True) == {1, 2}
    waiting = asyncio.ensure_future(handout.take())
    await asyncio.sleep(0)
    assert not waiting.done()
    assert handout.finished(3, Over(scenarios[2]), "lost") == {3}
    assert await waiting == (1, scenarios[0])
    other = asyncio.ensure_future(handout.take())
    await asyncio.sleep(0)
    assert not other.done()
    assert handout.finished(1, Over(scenarios[0]), "clean", disturbs=True) == set()
    assert await other == (2, scenarios[1])
    handout.finished(2, Over(scenarios[1]), "clean")
    assert await handout.take() == (3, scenarios[2])
    handout.finished(3, Over(scenarios[2]), "clean")
    assert await handout.take() == (4, scenarios[3])


async def test_a_run_with_nothing_beside_it_disturbs_nothing() -> None:
    handout = Handout(Listed([FIRST, AGAIN]))
    await handout.take()
    assert handout.finished(1, Over(FIRST), "clean", disturbs=True) == set()
    assert await handout.take() == (2, AGAIN)
