"""How much memory a process holds, as Linux counts it (proc(5)): in bytes, now and at its highest.

Counterparts: the soaks that say "flat" or "bounded". Everything counts, also what libraries in C
and Rust hold.
"""

import gc
from pathlib import Path
from typing import Final

MIB: Final = 1024 * 1024
STATUS: Final = Path("/proc/self/status")
CLEAR: Final = Path("/proc/self/clear_refs")
RESET_PEAK: Final = "5"


def resident() -> int:
    """The resident set of this process after a garbage collection."""
    gc.collect()
    return _status("VmRSS")


def peak() -> int:
    """The highest resident set since the last `reset_peak`, or since the start."""
    return _status("VmHWM")


def reset_peak() -> None:
    """Begin a new peak at what is held now."""
    CLEAR.write_text(RESET_PEAK, encoding="ascii")


def mib(count: int) -> str:
    """Bytes for people."""
    return f"{count / MIB:.1f} MiB"


def _status(name: str) -> int:
    for line in STATUS.read_text(encoding="ascii", errors="replace").splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0]) * 1024
    raise OSError(f"{STATUS} has no {name}")
