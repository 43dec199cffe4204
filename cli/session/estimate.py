"""How many scenarios a sweep has and how long it takes: from clean runs, else a guess. Pure.

Counterparts: the examination asks once its clean runs are done, `plan` before anything starts, with
what the last session showed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from killpoint.cli.session.lanes import SERVERS_SECONDS, Lanes
from killpoint.cli.session.shown import Shown
from killpoint.faults.depth import STATES_PER_SECOND, Depth
from killpoint.faults.scenario import KILL

_FAULT: Final = 1.5
"""A run with a fault starts the target twice, but handles every event about once."""
QUICK_SECONDS: Final = 1.0
"""A clean run of a target that joins at once."""
_ONE_BATCH: Final = 11
_EACH_BATCH: Final = 8
"""Moments: join, fetch and begin before the first write, then both sides of each step."""
_CLASSES: Final = (2, 3)
"""Of a plain consumer: nothing done, the first of two steps done if they are two, all done."""
_PLACES: Final = (1, 3)
"""Where a class is tried if there is one batch; else its first, a middle and its last place."""


@dataclass(frozen=True, slots=True)
class Range:
    """A number of scenarios: from `few` to `many`."""

    few: int
    many: int


def sweep_seconds(scenarios: int, clean_seconds: float, lanes: int = 1) -> float:
    """The time of a sweep whose clean run took `clean_seconds`."""
    return scenarios * clean_seconds * _FAULT / lanes


def session_seconds(scenarios: int, clean_seconds: float, lanes: Lanes) -> float:
    """The time of two clean runs and the sweep; servers of the lanes' own start side by side."""
    servers = SERVERS_SECONDS if lanes.own_servers else 0.0
    return 2 * clean_seconds + servers + sweep_seconds(scenarios, clean_seconds, lanes.count)


def shown_scenarios(shown: Shown, depth: Depth, actions: Sequence[str], kills: int) -> Range:
    """As many as the moments of these clean runs ask for.

    Second kills are made in each recovery, and what those are is seen only then: at most as many
    as if each were a whole run.
    """
    each = shown.scenarios[depth]
    once = sum(each[action] for action in actions)
    if kills == 1 or KILL not in actions:
        return Range(once, once)
    firsts = shown.again[depth] if depth is Depth.CLASSES else each[KILL]
    return Range(once, once + firsts * shown.again[depth])


def guessed_scenarios(events: int, depth: Depth, actions: Sequence[str], kills: int) -> Range:
    """Those of a plain consumer: if all events are one batch, and if each is one of its own."""
    each = {action: _guess(max(1, events), depth, action) for action in actions}
    few, many = sum(one.few for one in each.values()), sum(one.many for one in each.values())
    if kills > 1 and KILL in actions:
        many += _CLASSES[1] ** 2 if depth is Depth.CLASSES else each[KILL].many ** 2
    return Range(few, many)


def _guess(batches: int, depth: Depth, action: str) -> Range:
    if depth is Depth.CLASSES and action == KILL:
        # One more in each class for a state that is tried at a second moment.
        return Range(_CLASSES[0] * (_PLACES[0] + 1), _CLASSES[1] * (_PLACES[1] + 1))
    if depth is Depth.CLASSES:
        return Range(_EACH_BATCH, _ONE_BATCH + _EACH_BATCH)
    if depth is Depth.STATES and action == KILL:
        return Range(_tried(1), _tried(batches))
    return Range(_ONE_BATCH, _ONE_BATCH + _EACH_BATCH * (batches - 1))


def _tried(batches: int) -> int:
    states = 1 + (_CLASSES[1] - 1) * batches
    return states + -(-states // STATES_PER_SECOND)
