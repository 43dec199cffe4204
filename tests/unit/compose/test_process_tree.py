import os
import signal

import pytest

from killpoint.compose.process_tree import (
    GONE,
    RUNNING,
    STOPPED,
    WAITING,
    Family,
    LinuxProcesses,
    Seen,
    below,
    parse_stat,
    standing_of,
)


def seen(pid: int, parent: int, *, start: int = 1, session: int = 0, state: str = "S") -> Seen:
    return Seen(pid, start, parent, pid, session, state, 1)


def table(*entries: Seen) -> dict[int, Seen]:
    return {entry.pid: entry for entry in entries}


def pids(found: list[Seen]) -> list[int]:
    return [entry.pid for entry in found]


STAT = (
    b"8199 (a) b (c)) T 7570 7571 2999 0 -1 4194304 102 0 0 0 0 0 0 0 20 0 12 0 104827 3133440 383"
    b" 18446744073709551615 1 1 1 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 1 1 1 1 1 1 1 0\n"
)


def test_a_name_with_spaces_and_parentheses() -> None:
    one = parse_stat(STAT)
    assert (one.pid, one.state, one.parent, one.group, one.session) == (8199, "T", 7570, 7571, 2999)
    assert (one.threads, one.start) == (12, 104827)


def test_a_leader_that_ended_before_its_threads_is_not_dead() -> None:
    assert Seen(1, 1, 0, 1, 1, "Z", 1).dead
    assert not Seen(1, 1, 0, 1, 1, "Z", 2).dead
    assert not Seen(1, 1, 0, 1, 1, "D", 1).dead


@pytest.mark.parametrize(
    ("states", "how"),
    [
        ("T", STOPPED),
        ("Tt", STOPPED),
        ("TS", RUNNING),
        ("DR", RUNNING),
        ("TD", WAITING),
        ("ZT", STOPPED),
        ("Z", GONE),
        ("", GONE),
    ],
)
def test_how_a_process_stands(states: str, how: str) -> None:
    assert standing_of(states) == how


def test_below_lists_parents_before_children() -> None:
    processes = table(seen(9, 5), seen(5, 2), seen(2, 1), seen(3, 1), seen(4, 7))
    assert pids(below(1, processes)) == [2, 3, 5, 9]
    assert below(9, processes) == []


def test_below_survives_a_ring() -> None:
    # A snapshot is not one instant: reused pids may make a ring.
    assert sorted(pids(below(2, table(seen(3, 2), seen(2, 3))))) == [2, 3]


def test_a_family_is_what_is_below_and_in_the_session() -> None:
    processes = table(seen(1, 0), seen(5, 1), seen(6, 5), seen(7, 1, session=5), seen(8, 1))
    assert pids(Family([(5, 1)])(processes)) == [5, 7, 6]


def test_a_family_remembers_an_orphan() -> None:
    family = Family([(5, 1)])
    assert pids(family(table(seen(1, 0), seen(5, 1), seen(6, 5)))) == [5, 6]
    assert pids(family(table(seen(1, 0), seen(6, 1)))) == [6]
    assert pids(family(table(seen(1, 0), seen(6, 1, start=2)))) == []


def test_a_reused_pid_is_no_root() -> None:
    family = Family([(5, 1)])
    reused = table(seen(1, 0), seen(5, 1, start=2, session=5), seen(6, 5, session=5))
    assert family(reused) == []


def test_a_family_by_what_belongs() -> None:
    family = Family([], lambda one: one.pid == 6)
    assert pids(family(table(seen(1, 0), seen(5, 1), seen(6, 1), seen(7, 6)))) == [6, 7]


def test_this_process_as_linux_tells_it() -> None:
    processes = LinuxProcesses()
    me = processes.look(os.getpid())
    assert me is not None and me.parent == os.getppid() and me.session == os.getsid(0)
    assert processes.snapshot()[os.getpid()].start == me.start
    assert processes.standing(me) == RUNNING
    assert processes.standing(Seen(me.pid, me.start + 1, 0, 0, 0, "R", 1)) == GONE


def test_no_signal_to_a_reused_pid_or_to_everybody() -> None:
    processes = LinuxProcesses()
    me = processes.look(os.getpid())
    assert me is not None
    processes.send(Seen(me.pid, me.start + 1, 0, 0, 0, "R", 1), signal.SIGKILL)
    processes.send_group(1, signal.SIGKILL)
    processes.send_group(0, signal.SIGKILL)
    processes.send_group(-1, signal.SIGKILL)


def test_a_variable_of_the_environment_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = LinuxProcesses()
    assert processes.variable(os.getpid(), "PATH") is not None
    monkeypatch.setenv("KILLPOINT_SET_LATER", "1")
    assert processes.variable(os.getpid(), "KILLPOINT_SET_LATER") is None
    assert processes.variable(0, "PATH") is None
