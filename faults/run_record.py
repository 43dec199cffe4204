"""What is known of a run when it is over: its faults and what became of them, its audit, its times.

Counterpart: `run` makes it. Pure: nothing here is asked of the world.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic

from killpoint.faults.actions.crash import Crash
from killpoint.faults.auditor import A
from killpoint.faults.durability import Place
from killpoint.faults.ending import Ending
from killpoint.faults.history import History
from killpoint.faults.position import TopicPartition
from killpoint.faults.progress import Progress
from killpoint.faults.scenario import Fault, Scenario
from killpoint.faults.target import Exit


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """What became of a fault.

    `life` is the target's life that it ended. `crash` is None if its moment was not reached.
    `snapshot`: the actual totals before the restart; `resumed`: the positions that the restart
    fetched from first; `place`: the crash state that was really left. `replica`: which one came to
    the moment, None where they are not told apart; `survivors`: how many others lived on.
    """

    fault: Fault
    life: int = 0
    crash: Crash | None = None
    snapshot: object = None
    resumed: Mapping[TopicPartition, int] = field(default_factory=dict[TopicPartition, int])
    place: Place | None = None
    replica: int | None = None
    survivors: int = 0

    @property
    def reached(self) -> bool:
        """Whether its moment came."""
        return self.crash is not None

    @property
    def left_behind(self) -> tuple[str, ...]:
        """What outlived the target: in flight, still running, or in doubt."""
        return self.crash.left_behind if self.crash else ()


@dataclass(slots=True)
class Times:
    """Seconds that the parts of a run took; None where a part did not happen."""

    to_moment: float | None = None
    restart: float | None = None
    drain: float | None = None
    audit: float | None = None
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class RunRecord(Generic[A]):
    """All that is known of a finished run.

    `unseen` and `ports` (those that the target listens on) are looked for in clean runs.
    """

    scenario: Scenario
    ending: Ending
    faults: tuple[FaultRecord, ...]
    audit: A | None
    times: Times
    history: History
    progress: Progress
    groups: tuple[str, ...]
    exits: tuple[Exit, ...]
    unseen: tuple[str, ...] = ()
    ports: frozenset[int] = frozenset()
    spare_ended: Exit | None = None
    """How a spare ended before it was needed."""
    held: tuple[str, ...] = ()
    """Tables that it wrote to when it was asked to stop, after the audit of a first clean run."""
