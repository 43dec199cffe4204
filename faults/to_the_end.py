"""Work that must be finished although its caller is cancelled: clean-ups, and threads at work.

`asyncio.shield` alone lets the caller go on while the work still runs; what is taken down next
would then be taken from under it. Knows nothing of what the work is.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Do the work; a cancellation that comes meanwhile is raised when it has ended.

    What the work itself raises comes first. Returns what the work returns.
    """
    task = asyncio.ensure_future(work)
    interrupted: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            interrupted = error
    result = task.result()
    if interrupted is not None:
        raise interrupted
    return result
