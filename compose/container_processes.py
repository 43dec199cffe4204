"""The processes of a container as this machine sees them, for what the engine does not offer.

Counterpart: `container_target` kills and looks into them. Only where the engine runs on this
machine and killpoint may signal them (as root); elsewhere there are none to see.
"""

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from killpoint.compose.process_tree import LinuxProcesses, below


def processes_of(container: str, main: int) -> list[int]:
    """The pids of a container, given its id and the pid of its main process; empty if not here."""
    if main <= 0 or not _belongs(container, main):
        return []
    return [main, *(seen.pid for seen in below(main, LinuxProcesses().snapshot()))]


def kill_all(pids: Sequence[int]) -> None:
    """Send SIGKILL to each, the main process first, or it would notice the death of a child."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _belongs(container: str, pid: int) -> bool:
    """A process's control group names its container: the engine's pid may be another machine's."""
    try:
        return container in Path(f"/proc/{pid}/cgroup").read_text(encoding="ascii")
    except OSError:
        return False
