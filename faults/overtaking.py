"""Overtaking: an offset that is saved before the work on its records is done. Pure.

Where a timer saves offsets, the moment at which one falls into the work is chance. The action
`overtake` makes it come: the work is held until an offset has passed. Counterpart: `depth` adds one
such scenario to a sweep where the clean runs show that a timer may save.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from killpoint.faults.events import (
    CommitAnswered,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    ProduceAnswered,
    RecordsFetched,
    RollbackAnswered,
    WriteAnswered,
)
from killpoint.faults.history import Entry
from killpoint.faults.moment import Side
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.sweep import SweepMoment

IDLE_SECONDS = 0.1
"""An offset that is saved so long after the last work was not saved by it."""
_WORK = RecordsFetched | WriteAnswered | CommitAnswered | RollbackAnswered | ProduceAnswered


@dataclass(frozen=True, slots=True)
class Saving:
    """How a run saved its offsets.

    `seconds`: the longest time to a new one, since the one before or the first records; `idle`:
    whether one came out of idleness.
    """

    seconds: float = 0.0
    idle: bool = False


def saving_of(entries: Iterable[Entry]) -> Saving:
    """Read it off the entries of one life."""
    saved: dict[TopicPartition, int] = {}
    since = worked = None
    longest, idle = 0.0, False
    for entry in entries:
        now = entry.seconds
        if _is_new(entry, saved) and since is not None:
            longest, idle = max(longest, now - since), idle or now - (worked or now) > IDLE_SECONDS
            since = now
        if any(isinstance(event, _WORK) for event in entry.events):
            worked, since = now, now if since is None else since
    return Saving(longest, idle)


def _is_new(entry: Entry, saved: dict[TopicPartition, int]) -> bool:
    """Whether an offset is asked to be saved that was not before; it is kept in `saved`."""
    asked = [event for event in entry.events if isinstance(event, OffsetCommitAsked)]
    named = {p.place: p.offset for event in asked for p in event.positions}
    new = any(saved.get(place) != offset for place, offset in named.items())
    saved.update(named)
    return new


def by_timer(found: Collection[SweepMoment], clean_runs: Sequence[Saving]) -> bool:
    """Whether a timer may save offsets: not the same in each run, or out of idleness in each."""
    chance = any(moment.by_timer for moment in found)
    return chance or bool(clean_runs and all(run.idle for run in clean_runs))


def held_for_overtaking(found: Sequence[SweepMoment]) -> SweepMoment | None:
    """Where the work is held: the middle one of the commits that are asked for in every run."""
    commits = [
        moment
        for moment in found
        if moment.required and (moment.at.event, moment.at.side) == ("commit", Side.BEFORE)
    ]
    return commits[(len(commits) - 1) // 2] if commits else None


def overtaken(
    since: Iterable[Entry], saved: Mapping[TopicPartition, int], replica: int | None = None
) -> Entry | None:
    """Where a new offset that was asked for since was saved; None if none was.

    `saved`: those before; `replica`: by this one, None: by any.
    """
    asked: set[tuple[int, int]] = set()
    for entry in since:
        if replica not in (None, entry.replica):
            continue
        for event in entry.events:
            match event:
                case OffsetCommitAsked():
                    asked.add((entry.connection, event.exchange))
                case OffsetCommitAnswered() if (entry.connection, event.exchange) in asked:
                    if any(_is_ahead(position, saved) for position in event.positions):
                        return entry
                case _:
                    pass
    return None


def _is_ahead(position: Position, saved: Mapping[TopicPartition, int]) -> bool:
    return position.offset > saved.get(position.place, 0)
