"""What is done at a moment, one action a file; `ACTIONS` is the table of them."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from killpoint.faults.actions.crash import Crash
from killpoint.faults.actions.kill import kill
from killpoint.faults.actions.overtake import overtake
from killpoint.faults.actions.terminate import terminate
from killpoint.faults.scenario import KILL, OVERTAKE, TERMINATE
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch

Action = Callable[[Stage, Watch], Awaitable[Crash]]

ACTIONS: Final[Mapping[str, Action]] = {KILL: kill, TERMINATE: terminate, OVERTAKE: overtake}
