"""Programs of the user's around a run, and beside each life of the target."""

import asyncio
from dataclasses import dataclass, field

from killpoint.faults.ending import End
from killpoint.faults.hooks import RunHooks
from killpoint.faults.stage import HookFailed, Hooks, Launch

LIMIT = 5
ENDLESS = Launch(("endless",), {})
FAILING = Launch(("failing", "now"), {})


@dataclass
class Programs:
    """What was run, and what was ended before its time."""

    begun: list[str] = field(default_factory=list[str])
    ended: list[str] = field(default_factory=list[str])
    first: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, launch: Launch) -> None:
        name = " ".join(launch.command)
        self.begun.append(name)
        self.first.set()
        if launch == FAILING:
            raise HookFailed("exit 1: no such key")
        if launch == ENDLESS:
            try:
                await asyncio.Event().wait()
            finally:
                self.ended.append(name)


def hooks_of(programs: Programs) -> RunHooks:
    def around(name: str) -> Launch:
        return Launch((name,), {})

    hooks = Hooks(
        lambda database, group: around(f"before {database} {group}"),
        lambda database, group: around(f"after {database} {group}"),
        programs.run,
    )
    return RunHooks(hooks, "db", "g")


async def test_those_around_a_run_know_its_database_and_group() -> None:
    programs = Programs()
    hooks = hooks_of(programs)
    assert (await hooks.before(), await hooks.after()) == (None, None)
    assert programs.begun == ["before db g", "after db g"]


async def test_one_that_fails_is_an_ending_with_its_words() -> None:
    hooks = Hooks(lambda database, group: FAILING, run=Programs().run)
    ending = await RunHooks(hooks, "db", "g").before()
    assert ending is not None
    assert (ending.end, ending.reason) == (
        End.INCONCLUSIVE,
        "[hooks] before_scenario failed: exit 1: no such key",
    )
    assert ending.remedy == "run it by hand: failing now"


async def test_the_one_of_a_life_ends_with_it() -> None:
    programs = Programs()
    hooks = hooks_of(programs)
    launch = Launch(("target",), {}, after_start=ENDLESS)
    async with asyncio.timeout(LIMIT):
        await hooks.started(launch)
        await programs.first.wait()
        assert hooks.running
        assert hooks.failed is None
        await hooks.started(Launch(("target",), {}))
        assert programs.ended == ["endless"]
        assert not hooks.running


async def test_the_one_of_a_life_that_fails_is_seen() -> None:
    programs = Programs()
    hooks = hooks_of(programs)
    await hooks.started(Launch(("target",), {}, after_start=FAILING))
    async with asyncio.timeout(LIMIT):
        await programs.first.wait()
    # Nothing is awaited between the failure and the end of its task.
    await asyncio.sleep(0)
    assert hooks.failed is not None
    assert hooks.failed.reason == "[target] after_start failed: exit 1: no such key"
