"""What an action leaves behind: the crash state as far as it is recorded."""

from dataclasses import dataclass

from killpoint.faults.frontier import FrontierEntry
from killpoint.faults.target import Exit


@dataclass(frozen=True, slots=True)
class Crash:
    """`frontier` at the moment; `in_flight`: what the servers had not answered when the target
    ended; `ghosts`: what of the dead target was still alive when the next start was due; `ended`:
    how an orderly end came out, None where the target was killed."""

    frontier: tuple[FrontierEntry, ...]
    in_flight: tuple[str, ...] = ()
    ghosts: tuple[str, ...] = ()
    ended: Exit | None = None
