"""Work that is finished although its caller is cancelled."""

import asyncio

import pytest

from killpoint.faults.to_the_end import to_the_end


class Work:
    """Waits until it may end."""

    def __init__(self, problem: Exception | None = None) -> None:
        self.may_end = asyncio.Event()
        self.begun = asyncio.Event()
        self.ended = False
        self._problem = problem

    async def do(self) -> str:
        self.begun.set()
        await self.may_end.wait()
        self.ended = True
        if self._problem is not None:
            raise self._problem
        return "done"


async def test_it_returns_what_the_work_returns() -> None:
    work = Work()
    work.may_end.set()
    assert await to_the_end(work.do()) == "done"


async def test_it_raises_what_the_work_raises() -> None:
    work = Work(ValueError("no"))
    work.may_end.set()
    with pytest.raises(ValueError, match="no"):
        await to_the_end(work.do())


async def test_a_cancellation_waits_for_the_end_however_often_it_comes() -> None:
    work = Work()
    task = asyncio.ensure_future(to_the_end(work.do()))
    await work.begun.wait()
    for _ in range(3):
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=0.01)
        assert not done
    assert not work.ended
    work.may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert work.ended


async def test_a_failure_goes_before_a_cancellation() -> None:
    work = Work(ValueError("no"))
    task = asyncio.ensure_future(to_the_end(work.do()))
    await work.begun.wait()
    task.cancel()
    work.may_end.set()
    with pytest.raises(ValueError, match="no"):
        await task
