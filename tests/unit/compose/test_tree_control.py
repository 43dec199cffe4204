import signal
from collections.abc import Callable

import pytest

from killpoint.compose.process_tree import (
    GONE,
    RUNNING,
    STOPPED,
    WAITING,
    Processes,
    Seen,
    below,
)
from killpoint.compose.tree_control import TreeControl

ROOT = 100
STATES = {STOPPED: "T", RUNNING: "R", WAITING: "D", GONE: "Z"}


class Machine(Processes):
    """Processes below ROOT that exist only here; time passes by looking and resting."""

    def __init__(self) -> None:
        self.now = 0.0
        self.standings: dict[int, str] = {}
        self.parents: dict[int, int] = {}
        self.groups: dict[int, int] = {}
        self.deaf: set[int] = set()
        self.sent: list[tuple[int, int]] = []
        self.after_look: Callable[[], None] = lambda: None
        self.on_rest: Callable[[], None] = lambda: None

    def add(self, pid: int, parent: int = ROOT, how: str = RUNNING, group: int = 0) -> None:
        self.standings[pid], self.parents[pid] = how, parent
        self.groups[pid] = group or pid

    def snapshot(self) -> dict[int, Seen]:
        found = {
            pid: Seen(pid, 1, self.parents[pid], self.groups[pid], pid, STATES[how], 1)
            for pid, how in self.standings.items()
        }
        self.after_look()
        return found

    def look(self, pid: int) -> Seen | None:
        how = self.standings.get(pid)
        return None if how is None else Seen(pid, 1, self.parents[pid], pid, pid, STATES[how], 1)

    def standing(self, seen: Seen) -> str:
        return self.standings.get(seen.pid, GONE)

    def send(self, seen: Seen, number: int) -> None:
        self.sent.append((seen.pid, number))
        self._take(seen.pid, number)

    def send_group(self, group: int, number: int) -> None:
        for pid in [pid for pid, its in self.groups.items() if its == group]:
            self._take(pid, number)

    def variable(self, pid: int, name: str) -> str | None:
        raise AssertionError("nobody asks")

    def _take(self, pid: int, number: int) -> None:
        how = self.standings.get(pid)
        if pid in self.deaf or how in (None, GONE):
            return
        if number == signal.SIGKILL:
            self.standings[pid] = GONE
        elif number == signal.SIGSTOP and how == RUNNING:
            self.standings[pid] = STOPPED
        elif number == signal.SIGCONT and how == STOPPED:
            self.standings[pid] = RUNNING

    def reap(self) -> bool:
        for pid in [pid for pid, how in self.standings.items() if how == GONE]:
            del self.standings[pid]
        return not self.standings

    def rest(self) -> None:
        self.now += 0.01
        self.on_rest()

    def control(self) -> TreeControl:
        return TreeControl(self, lambda seen: below(ROOT, seen), lambda: self.now, self.rest)


@pytest.fixture
def machine() -> Machine:
    return Machine()


def pids(left: list[Seen]) -> list[int]:
    return [seen.pid for seen in left]


def test_nothing_to_do(machine: Machine) -> None:
    assert machine.control().freeze(5, 1) == []
    assert machine.control().kill(5, machine.reap) == []
    machine.control().thaw()
    assert machine.sent == [] and machine.now == 0


def test_a_child_forked_behind_the_first_look_is_stopped(machine: Machine) -> None:
    machine.add(1)
    births = iter([2, 3, 4])

    def fork() -> None:
        pid = next(births, None)
        if pid is not None:
            machine.add(pid, parent=1)

    machine.after_look = fork
    assert machine.control().freeze(5, 1) == []
    assert machine.standings == dict.fromkeys([1, 2, 3, 4], STOPPED)


def test_a_fork_that_was_under_way_ends_after_the_signal(machine: Machine) -> None:
    machine.add(1, how=WAITING)

    def fork_late() -> None:
        if 2 not in machine.standings:
            machine.add(2, parent=1)
            machine.standings[1] = STOPPED

    machine.on_rest = fork_late
    assert machine.control().freeze(5, 1) == []
    assert machine.standings == {1: STOPPED, 2: STOPPED}


def test_forks_without_end_hit_the_limit(machine: Machine) -> None:
    def fork() -> None:
        machine.now += 0.1
        machine.add(len(machine.standings) + 1)

    machine.add(1)
    machine.after_look = fork
    machine.control().freeze(5, 1)
    assert 5 <= machine.now < 6


def test_a_continue_from_inside_is_answered(machine: Machine) -> None:
    machine.add(1)
    machine.add(2, how=WAITING)

    def resume() -> None:
        machine.standings.update({1: RUNNING, 2: RUNNING})
        machine.on_rest = lambda: None

    machine.on_rest = resume
    assert machine.control().freeze(5, 1) == []
    assert machine.standings == {1: STOPPED, 2: STOPPED}


def test_an_uninterruptible_wait_has_a_limit_of_its_own(machine: Machine) -> None:
    machine.add(1, how=WAITING)
    machine.add(2)
    assert pids(machine.control().freeze(5, 1)) == [1]
    assert 1 <= machine.now < 1.1


def test_one_that_cannot_be_stopped(machine: Machine) -> None:
    machine.add(1)
    machine.deaf.add(1)
    assert pids(machine.control().freeze(5, 1)) == [1]
    assert 5 <= machine.now < 5.1


def test_a_group_shared_with_others_is_not_signalled(machine: Machine) -> None:
    machine.add(1, group=7)
    machine.add(2, group=8)
    machine.add(3, parent=50, group=7)
    assert machine.control().freeze(5, 1) == []
    assert machine.control().kill(5, None) == []
    assert machine.standings == {1: GONE, 2: GONE, 3: RUNNING}


def test_zombies_are_no_obstacle(machine: Machine) -> None:
    machine.add(1, how=GONE)
    machine.add(2)
    assert machine.control().freeze(5, 1) == []
    assert machine.standings == {1: GONE, 2: STOPPED}


def test_children_go_on_and_die_before_their_parents(machine: Machine) -> None:
    for pid in (1, 2, 3):
        machine.add(pid, parent=pid - 1 or ROOT, how=STOPPED)
    control = machine.control()
    control.thaw()
    assert machine.sent == [(pid, signal.SIGCONT) for pid in (3, 2, 1)]
    assert control.kill(5, machine.reap) == []
    kills = [pid for pid, number in machine.sent if number == signal.SIGKILL]
    assert kills == [3, 2, 1]


def test_a_kill_looks_again_for_what_was_forked_meanwhile(machine: Machine) -> None:
    machine.add(1)
    looks = iter(range(4))

    def fork() -> None:
        if next(looks, 9) in (1, 2):
            machine.add(10 + len(machine.standings))

    machine.after_look = fork
    assert machine.control().kill(5, machine.reap) == []
    assert machine.standings == {}


def test_a_kill_waits_for_the_reaping_only_of_its_own(machine: Machine) -> None:
    machine.add(1)
    assert machine.control().kill(5, None) == []
    assert machine.standings == {1: GONE}
    machine.add(2)
    assert pids(machine.control().kill(5, lambda: False)) == []
    assert machine.now >= 5


def test_one_that_does_not_die(machine: Machine) -> None:
    machine.add(1, how=WAITING)
    machine.add(2)
    machine.deaf.add(1)
    assert pids(machine.control().kill(5, machine.reap)) == [1]
    assert 5 <= machine.now < 5.2
    assert machine.standings == {1: WAITING}
