"""Artificial load: processes that only count, as many as there are processors and one more.

Counterpart: `kills` has every second kill under it. They end with this process at the latest.
"""

import multiprocessing
import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess


class Load:
    """Busy processes that stand still until they are wanted."""

    def __init__(self, processes: list[BaseProcess]) -> None:
        self._processes = processes
        self._signal(signal.SIGSTOP)

    def switch(self, *, on: bool) -> None:
        """Let them count, or stand still."""
        self._signal(signal.SIGCONT if on else signal.SIGSTOP)

    def _signal(self, number: signal.Signals) -> None:
        for process in self._processes:
            assert process.pid is not None
            os.kill(process.pid, number)


@contextmanager
def ready_load() -> Generator[Load]:
    """The processes, standing still; they are ended afterwards."""
    context = multiprocessing.get_context("spawn")
    count = 1 + (os.cpu_count() or 1)
    processes: list[BaseProcess] = [
        context.Process(target=_busy, daemon=True) for _ in range(count)
    ]
    for process in processes:
        process.start()
    try:
        yield Load(processes)
    finally:
        for process in processes:
            process.kill()
            process.join()


def _busy() -> None:
    parent = os.getppid()
    while os.getppid() == parent:  # if it was killed, nobody ends this one
        sum(range(100_000))
