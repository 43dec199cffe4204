"""What an action leaves behind: the crash state as far as it is recorded."""

from dataclasses import dataclass

from killpoint.faults.frontier import FrontierEntry
from killpoint.faults.history import Entry
from killpoint.faults.target import Exit


@dataclass(frozen=True, slots=True)
class Crash:
    """The crash state of one fault.

    `frontier` at the moment; `in_flight`: what the servers had not answered when the target ended;
    `ghosts`: what of it was still alive when the next start was due; `prepared`: transactions in
    doubt; `ended`: how an orderly end came out, None where the target was killed. `passed`: the
    last that was let pass on other connections than that of the moment, None where nothing was.
    """

    frontier: tuple[FrontierEntry, ...]
    in_flight: tuple[str, ...] = ()
    ghosts: tuple[str, ...] = ()
    prepared: tuple[str, ...] = ()
    ended: Exit | None = None
    passed: Entry | None = None

    @property
    def left_behind(self) -> tuple[str, ...]:
        """What outlived the target: in flight, still running, or in doubt."""
        return (*self.in_flight, *self.ghosts, *self.prepared)
