"""Depths of a sweep: which of the moments are worth a scenario, and in which order. Pure.

`moments`: every one. `states`: one for each crash state. `classes`: each class of crash states at
its first, a middle and its last occurrence, so that the number does not grow with the events. The
theory that a crash state stands for all its moments is itself tried in every sweep: some states are
chosen, by the seed, for a second moment.

An action that lets the target go on (`terminate`), or others of its kind (a kill of one replica),
depends on where the programs stand, not only on what is left: for it nothing is taken together by
state, and a class has one scenario for each kind of moment.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import zip_longest
from typing import Final, TypeVar

from killpoint.faults.crash_state import CrashState
from killpoint.faults.scenario import KILL, OVERTAKE, Fault, Scenario
from killpoint.faults.sweep import SweepMoment

STATES_PER_SECOND: Final = 5
"""Of so many crash states one is tried at a second moment."""

T = TypeVar("T")
Chosen = tuple[SweepMoment, str]


class Depth(StrEnum):
    CLASSES = "classes"
    STATES = "states"
    MOMENTS = "moments"


@dataclass(frozen=True, slots=True)
class Selection:
    """`seed` orders what has no other order; `shuffled`: the classes too, where time is short.

    `survivors`: others live on after a kill, and what they hold is no part of a crash state.
    `overtaken`: where work is held until an offset has passed it.
    """

    depth: Depth
    actions: tuple[str, ...]
    seed: str = ""
    shuffled: bool = False
    survivors: bool = False
    overtaken: tuple[SweepMoment, ...] = ()


def selected(found: Sequence[SweepMoment], wanted: Selection) -> list[Scenario]:
    """The scenarios, the most telling first: one of each class before the second of any.

    Of `moments` the order is that of the moments, unless it is to be shuffled.
    """
    actions = wanted.actions
    held = wanted.overtaken if KILL in actions else ()
    overtaking = [(moment, OVERTAKE) for moment in held]
    if wanted.depth is Depth.MOMENTS and not wanted.shuffled:
        chosen = [(moment, action) for moment in found for action in actions]
        chosen += overtaking
    else:
        per_action = [_of_action(found, action, wanted) for action in actions]
        per_action.append(overtaking)
        chosen = [pair for round in zip_longest(*per_action) for pair in round if pair]
    return [
        Scenario(f"S{number:02}", (Fault(moment.at, action),), required=moment.required)
        for number, (moment, action) in enumerate(chosen, 1)
    ]


def representatives(found: Sequence[SweepMoment], depth: Depth) -> list[SweepMoment]:
    """One moment for each class, or for each crash state, or all."""
    if depth is Depth.MOMENTS:
        return list(found)
    firsts = [_representative(state) for state in states_of(found).values()]
    if depth is Depth.STATES:
        return firsts
    return [moments[0] for moments in _grouped(firsts, lambda m: m.crash_class)]


def _of_action(found: Sequence[SweepMoment], action: str, wanted: Selection) -> list[Chosen]:
    alone = action == KILL and not wanted.survivors
    by_class = _killed(found, wanted) if alone else _going_on(found, wanted)
    if wanted.shuffled:
        by_class = sorted(by_class, key=lambda moments: _rank(wanted.seed, moments[0]))
    return [(moment, action) for moment in _in_turn(by_class)]


def _killed(found: Sequence[SweepMoment], wanted: Selection) -> list[list[SweepMoment]]:
    """For each class the moments to kill at, the seconds last."""
    # What a timer's offset leaves is left again only where the timer saves again.
    timers = [moment for moment in found if moment.by_timer]
    others = [moment for moment in found if not moment.by_timer]
    classes = [
        states
        for some in (others, timers)
        for states in _grouped(states_of(some).values(), lambda state: state[0].crash_class)
    ]
    if wanted.depth is Depth.MOMENTS:
        return [[moment for state in states for moment in state] for states in classes]
    return [_of_class(states, wanted) for states in classes]


def _of_class(states: Sequence[list[SweepMoment]], wanted: Selection) -> list[SweepMoment]:
    taken = _first_middle_last(states) if wanted.depth is Depth.CLASSES else list(states)
    firsts = [_representative(state) for state in taken]
    others = [
        [m for m in state if m is not first] for state, first in zip(taken, firsts, strict=True)
    ]
    twice = [rest for rest in others if rest]
    number = -(-len(twice) // STATES_PER_SECOND)
    sample = sorted(twice, key=lambda rest: _rank(wanted.seed, rest[0]))[:number]
    return [*firsts, *(min(rest, key=lambda m: _rank(wanted.seed, m)) for rest in sample)]


def _going_on(found: Sequence[SweepMoment], wanted: Selection) -> list[list[SweepMoment]]:
    """For each class and kind of moment its middle occurrence; all of them at greater depths."""
    kinds = _grouped(found, lambda m: (m.crash_class, m.at.edge, m.at.event, m.at.side))
    if wanted.depth is Depth.CLASSES:
        return [[kind[(len(kind) - 1) // 2]] for kind in kinds]
    return kinds


def states_of(found: Iterable[SweepMoment]) -> dict[CrashState, list[SweepMoment]]:
    """The moments of each crash state, in order."""
    states: dict[CrashState, list[SweepMoment]] = defaultdict(list)
    for moment in found:
        states[moment.state].append(moment)
    return dict(states)


def _representative(state: Sequence[SweepMoment]) -> SweepMoment:
    """The first moment that must come; the first one if none must."""
    return next((moment for moment in state if moment.required), state[0])


def _first_middle_last(items: Sequence[T]) -> list[T]:
    places = dict.fromkeys((0, (len(items) - 1) // 2, len(items) - 1))
    return [items[place] for place in places]


def _grouped(items: Iterable[T], key: Callable[[T], object]) -> list[list[T]]:
    groups: dict[object, list[T]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return list(groups.values())


def _in_turn(rows: Sequence[Sequence[T]]) -> list[T]:
    """The first of each row, then the second of each, and so on."""
    return [item for round in zip_longest(*rows) for item in round if item is not None]


def _rank(seed: str, moment: SweepMoment) -> bytes:
    """A place in an order that the seed makes, the same on every machine."""
    return sha256(f"{seed} {moment.at}".encode()).digest()
