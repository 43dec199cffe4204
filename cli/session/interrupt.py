"""Ctrl-C and SIGTERM: the first cancels the session, which cleans up; later ones wait for it."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

from killpoint.cli.signals import heeded, ignore_signals

T = TypeVar("T")


async def interruptible(work: Coroutine[Any, Any, T]) -> T:
    """Do the work; a signal cancels it. Raises CancelledError once it has cleaned up."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)

    def stop() -> None:
        if not task.cancelling():
            task.cancel()

    before = {number: signal.getsignal(number) for number in heeded()}
    for number in before:
        loop.add_signal_handler(number, stop)
    try:
        return await task
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
        if task.cancelling():
            ignore_signals()
