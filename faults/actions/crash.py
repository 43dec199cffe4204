"""What an action leaves behind: the crash state as far as it is recorded."""

from dataclasses import dataclass

from killpoint.faults.frontier import FrontierEntry


@dataclass(frozen=True, slots=True)
class Crash:
    """`frontier` at the kill; `in_flight`: what the servers had not answered; `ghosts`: what of
    the dead target was still alive when the next start was due."""

    frontier: tuple[FrontierEntry, ...]
    in_flight: tuple[str, ...] = ()
    ghosts: tuple[str, ...] = ()
