"""Stop, continue and kill whole trees of processes that go on forking meanwhile.

Counterpart: `process_tree` says what there is, the supervisor decides which tree is meant. Works
inside the stand-alone supervisor: no import of typing or dataclasses. It reaps nothing itself.
"""

import signal
from collections.abc import Callable, Iterable, Mapping

from killpoint.compose.process_tree import GONE, RUNNING, STOPPED, WAITING, Processes, Seen

Members = Callable[[Mapping[int, Seen]], list[Seen]]
"""Picks the processes of a tree out of a snapshot, parents before their children."""


class TreeControl:
    """Signals for one tree. `clock` gives seconds; `rest` lets some milliseconds pass."""

    def __init__(
        self,
        processes: Processes,
        members: Members,
        clock: Callable[[], float],
        rest: Callable[[], None],
    ) -> None:
        self._processes = processes
        self._members = members
        self._clock = clock
        self._rest = rest

    def living(self) -> list[Seen]:
        """The processes of the tree that have not ended."""
        return [seen for seen in self._members(self._processes.snapshot()) if not seen.dead]

    def freeze(self, limit: float, waiting_limit: float) -> list[Seen]:
        """SIGSTOP the tree until every thread of every process has stopped.

        A fork that was under way when its parent got the signal may still succeed: so the last look
        at the tree begins after all that was known had stopped. A process in an uninterruptible
        wait (a parent in vfork whose child is stopped stays there for ever) is given
        `waiting_limit` seconds, everything together `limit`. Returns those that have not stopped.
        """
        end = self._clock() + limit
        known: dict[int, Seen] = {}
        left: list[Seen] = []
        while self._stop_new(known) and self._clock() < end:
            self._stop_all_new(known, end)
            left = self._settle(known.values(), end, waiting_limit)
        return left

    def _stop_new(self, known: dict[int, Seen]) -> bool:
        """One look at the tree, one SIGSTOP to what was not known; whether there was anything."""
        processes = self._processes.snapshot()
        members = {seen.pid: seen for seen in self._members(processes)}
        new = [seen for seen in members.values() if not (seen.dead or _same(known, seen))]
        # A group may be shared with processes outside the tree: with whoever started a stray.
        shared = {seen.group for seen in processes.values() if seen.pid not in members}
        for group in {seen.group for seen in new} - shared:
            self._processes.send_group(group, signal.SIGSTOP)
        for seen in new:
            self._processes.send(seen, signal.SIGSTOP)
            known[seen.pid] = seen
        return bool(new)

    def _stop_all_new(self, known: dict[int, Seen], end: float) -> None:
        while self._stop_new(known) and self._clock() < end:
            pass

    def _settle(self, known: Iterable[Seen], end: float, waiting_limit: float) -> list[Seen]:
        waiting_end = self._clock() + waiting_limit
        while True:
            standing = [(seen, self._processes.standing(seen)) for seen in known]
            left = [(seen, how) for seen, how in standing if how not in (STOPPED, GONE)]
            now = self._clock()
            only_waiting = all(how == WAITING for _, how in left)
            if not left or now >= end or (only_waiting and now >= waiting_end):
                return [seen for seen, _ in left]
            for seen, how in left:
                if how == RUNNING:  # a SIGCONT from inside the tree may have crossed ours
                    self._processes.send(seen, signal.SIGSTOP)
            self._rest()

    def thaw(self) -> None:
        """SIGCONT, children first: a shell that wakes first would report its child as stopped."""
        for seen in reversed(self.living()):
            self._processes.send(seen, signal.SIGCONT)

    def kill(self, limit: float, reap: Callable[[], bool] | None) -> list[Seen]:
        """SIGKILL the tree until nothing is left of it, not even a zombie.

        Children first: the death of a parent sends SIGHUP and SIGCONT to stopped process groups
        that it orphans, and a frozen process must not run again before it dies. `reap` collects
        what has ended and says whether the caller has no child left at all; without it the tree is
        somebody else's, and what waits to be reaped counts as gone. Returns what has not died
        within `limit` seconds.
        """
        end = self._clock() + limit
        self._stop_all_new({}, end)
        while members := self._left(reap):
            for seen in reversed(members):
                if not seen.dead:
                    self._processes.send(seen, signal.SIGKILL)
            gone = self._gone(members, reap, min(end, self._clock() + 0.1))
            if not gone and self._clock() >= end:
                return self.living()
        return []

    def _left(self, reap: Callable[[], bool] | None) -> list[Seen]:
        """What there is of the tree by a look that begins now: all, or the living."""
        if reap is None:
            return self.living()
        return [] if reap() else self._members(self._processes.snapshot())

    def _gone(self, members: list[Seen], reap: Callable[[], bool] | None, end: float) -> bool:
        """Wait until these have ended (and are reaped), or it is time to look at the tree again."""
        while reap is None or not reap():
            members = [seen for seen in members if self._still_there(seen, reap is not None)]
            if not members:
                return True
            if self._clock() >= end:
                return False
            self._rest()
        return True

    def _still_there(self, seen: Seen, dead_too: bool) -> bool:
        now = self._processes.look(seen.pid)
        return now is not None and now.start == seen.start and (dead_too or not now.dead)


def _same(known: Mapping[int, Seen], seen: Seen) -> bool:
    before = known.get(seen.pid)
    return before is not None and before.start == seen.start
