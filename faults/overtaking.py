"""Overtaking: an offset that is saved before the work on its records is done. Pure.

Where a timer saves offsets, or several workers finish as it happens, the moment at which an offset
steps over work is chance. The action `overtake` makes it come: one piece of work is held until
offsets have passed. Counterpart: `depth` adds such scenarios to a sweep where the clean runs show
that one may.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from killpoint.faults.events import (
    CommitAnswered,
    CommitAsked,
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
    whether one came out of idleness. `workers`: connections that committed work.
    """

    seconds: float = 0.0
    idle: bool = False
    workers: int = 0


def saving_of(entries: Iterable[Entry]) -> Saving:
    """Read it off the entries of one life."""
    saved: dict[TopicPartition, int] = {}
    since = worked = None
    longest, idle = 0.0, False
    workers: set[tuple[str, int]] = set()
    for entry in entries:
        now = entry.seconds
        if _is_new(entry, saved) and since is not None:
            longest, idle = max(longest, now - since), idle or now - (worked or now) > IDLE_SECONDS
            since = now
        if any(isinstance(event, _WORK) for event in entry.events):
            worked, since = now, now if since is None else since
        if since is not None and any(isinstance(event, CommitAsked) for event in entry.events):
            workers.add(entry.at)
    return Saving(longest, idle, len(workers))


def _is_new(entry: Entry, saved: dict[TopicPartition, int]) -> bool:
    """Whether an offset is asked to be saved that was not before; it is kept in `saved`."""
    asked = [event for event in entry.events if isinstance(event, OffsetCommitAsked)]
    named = {p.place: p.offset for event in asked for p in event.positions}
    new = any(saved.get(place) != offset for place, offset in named.items())
    saved.update(named)
    return new


def held_for_overtaking(
    found: Sequence[SweepMoment], clean_runs: Sequence[Saving]
) -> tuple[SweepMoment, ...]:
    """Where work is held until an offset has passed it, if one may step over it.

    A timer may: offsets are not the same in each run, or come out of idleness in each. Then it is
    the middle one of the commits that must come. Another worker may: several connections commit in
    each run, and offsets are saved. Then the first and the last, too: the highest of those that run
    side by side is not stepped over, and which that is, is chance.
    """
    commits = [
        moment
        for moment in found
        if moment.required and (moment.at.event, moment.at.side) == ("commit", Side.BEFORE)
    ]
    saved = any(moment.at.event == "offset_commit" for moment in found)
    if not commits or not clean_runs or not saved:
        return ()
    first, middle, last = commits[0], commits[(len(commits) - 1) // 2], commits[-1]
    if all(run.workers > 1 for run in clean_runs):
        return tuple(dict.fromkeys((middle, first, last)))
    timed = any(moment.by_timer for moment in found) or all(run.idle for run in clean_runs)
    return (middle,) if timed else ()


class Passing:
    """Follows what is seen while work is held, each entry once.

    `saved`: the offsets before; `replica`: whose offsets count, None: any one's.
    """

    def __init__(self, saved: Mapping[TopicPartition, int], replica: int | None = None) -> None:
        self.last: Entry | None = None
        """Where the last new offset that was asked for since was saved; None if none was."""
        self._best = dict(saved)
        self._replica = replica
        self._asked: set[tuple[int, int]] = set()

    def see(self, entries: Iterable[Entry]) -> None:
        """Take in the next entries."""
        for entry in entries:
            if self._replica in (None, entry.replica):
                self._see(entry)

    def _see(self, entry: Entry) -> None:
        for event in entry.events:
            match event:
                case OffsetCommitAsked():
                    self._asked.add((entry.connection, event.exchange))
                case OffsetCommitAnswered() if (entry.connection, event.exchange) in self._asked:
                    if any(self._is_ahead(position) for position in event.positions):
                        self.last = entry
                        self._best.update((p.place, p.offset) for p in event.positions)
                case _:
                    pass

    def _is_ahead(self, position: Position) -> bool:
        return position.offset > self._best.get(position.place, 0)
