"""What this machine can give to targets: processors and memory, as far as killpoint may use them.

A container's limits count (control groups v1 and v2), as CI jobs run in such.
"""

import contextlib
import os
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/proc/meminfo")
_GROUPS: Final = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (
        Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        Path("/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ),
)


def processors() -> int:
    """The processors that this process may run on."""
    return len(os.sched_getaffinity(0))


def memory_available() -> int:
    """Bytes that can be used before something is swapped out or killed."""
    left = [_free_of_group(limit, used) for limit, used in _GROUPS]
    return min([free_memory(_MEMORY.read_text(encoding="ascii")), *filter(None, left)])


def free_memory(table: str) -> int:
    """MemAvailable of proc_meminfo(5), in bytes."""
    rows = dict(line.split(":", 1) for line in table.splitlines() if ":" in line)
    return int(rows["MemAvailable"].split()[0]) * 1024


def _free_of_group(limit: Path, used: Path) -> int | None:
    with contextlib.suppress(OSError, ValueError):  # not there, or "max"
        return max(1, int(limit.read_text("ascii")) - int(used.read_text("ascii")))
    return None
