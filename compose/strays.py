"""Processes that outlived their supervisor: which they are, and their end.

Counterpart: `supervised` (its supervisor died) and `run_folder` (a whole run died). A stray must be
proven to belong to the run in question; others are never touched.
"""

import os
import time
from collections.abc import Iterable

from killpoint.compose.process_tree import RUN_VARIABLE, Family, Processes, Seen, below
from killpoint.compose.tree_control import Members, TreeControl

_LIMIT_SECONDS = 5.0
_REST_SECONDS = 0.002


def kill_orphaned(processes: Processes, started: Iterable[tuple[int, int]], run: str) -> list[Seen]:
    """Kill what a dead supervisor of this process had started; blocks. Returns what did not die.

    That is: `started` (pid and start time) with what belongs to them, and all that carries the mark
    `run` and is no longer below this process. What is below it has a living supervisor.
    """
    mine = {seen.pid for seen in below(os.getpid(), processes.snapshot())} | {os.getpid()}

    def carries(seen: Seen) -> bool:
        return seen.pid not in mine and processes.variable(seen.pid, RUN_VARIABLE) == run

    return _kill(processes, Family(started, carries))


def kill_left_behind(
    processes: Processes, recorded: Iterable[tuple[int, int]], run: str
) -> list[Seen]:
    """Kill what is left of a dead run, with what belongs to it; blocks. Returns what did not die.

    Only a process with a recorded pid AND start time AND the mark `run` is taken for one of it.
    """
    living = processes.snapshot()
    proven = [
        (pid, start)
        for pid, start in recorded
        if pid in living
        and living[pid].start == start
        and processes.variable(pid, RUN_VARIABLE) == run
    ]
    return _kill(processes, Family(proven)) if proven else []


def _kill(processes: Processes, members: Members) -> list[Seen]:
    rest_seconds = _REST_SECONDS
    control = TreeControl(processes, members, time.monotonic, lambda: time.sleep(rest_seconds))
    return control.kill(_LIMIT_SECONDS, None)
