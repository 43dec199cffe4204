"""A signal cancels the session once and waits for its clean-up."""

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest

from killpoint.cli.session.interrupt import interruptible
from killpoint.cli.signals import SIGNALS

LIMIT_SECONDS = 5.0


@pytest.fixture(autouse=True)
def handlers_stay() -> Iterator[None]:
    """An interrupted session leaves the signals ignored: killpoint is ending then."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


async def test_work_that_is_not_interrupted_gives_its_result() -> None:
    async def work() -> int:
        return 7

    before = signal.getsignal(signal.SIGTERM)
    assert await interruptible(work()) == 7
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_cancels_and_a_second_one_does_not_disturb_the_clean_up(
    number: signal.Signals,
) -> None:
    cleaned: list[str] = []

    async def work() -> None:
        try:
            os.kill(os.getpid(), number)
            await asyncio.Event().wait()
        finally:
            os.kill(os.getpid(), number)
            for step in ("first", "second"):
                await asyncio.sleep(0.01)
                cleaned.append(step)

    # A limit that passes raises TimeoutError, so it can't be taken for the cancellation.
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(LIMIT_SECONDS):
            await interruptible(work())
    assert cleaned == ["first", "second"]


async def test_a_signal_that_killpoint_was_started_to_ignore_is_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    async def work() -> str:
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0.01)
        return "done"

    assert await interruptible(work()) == "done"
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN


async def test_an_error_of_the_work_is_raised() -> None:
    async def work() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await interruptible(work())
