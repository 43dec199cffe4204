"""The signals that end killpoint: Ctrl-C, SIGTERM and the loss of its terminal.

Counterpart: `session/interrupt` makes them cancel a session while one is held; before and after,
each raises KeyboardInterrupt. Nothing heavy is imported: this stands before all other imports.
"""

import signal
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def heeded() -> list[signal.Signals]:
    """Those that killpoint was not started to ignore (nohup, a shell's background job)."""
    return [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def interrupt_on_signals() -> None:
    """From now on the first of them raises KeyboardInterrupt in the main thread."""
    for number in heeded():
        signal.signal(number, _interrupt)


def ignore_signals() -> None:
    """Killpoint is ending already: from now on none of them does anything."""
    for number in heeded():
        signal.signal(number, signal.SIG_IGN)


def _interrupt(number: int, frame: FrameType | None) -> None:
    ignore_signals()
    raise KeyboardInterrupt
