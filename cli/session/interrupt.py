"""Ctrl-C and SIGTERM: the first cancels the session, which cleans up; later ones wait for it."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


async def interruptible(work: Coroutine[Any, Any, T]) -> T:
    """Do the work; a signal cancels it. Raises CancelledError once it has cleaned up."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)

    def stop() -> None:
        if not task.cancelling():
            task.cancel()

    for number in SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        return await task
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
