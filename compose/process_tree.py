"""The operating system's view of processes, behind one small interface, and Linux's form of it.

Counterpart: `tree_control` stops and kills trees through `Processes`; another system needs another
implementation of it and nothing else. Used inside the stand-alone supervisor too, which must start
fast: so no import of typing, dataclasses or anything outside the standard library. What a process
is bound to is its pid AND its start time, because pids are used again.
"""

import abc
import contextlib
import os
import signal
from collections.abc import Callable, Iterable, Mapping

RUN_VARIABLE = "KILLPOINT_RUN"
"""In the environment of everything that a run starts: proof that a process belongs to it."""

RUNNING, WAITING, STOPPED, GONE = "running", "waiting", "stopped", "gone"


class Seen:
    """A process as it was seen: `start` in clock ticks since boot, `state` as in proc(5)."""

    __slots__ = ("group", "parent", "pid", "session", "start", "state", "threads")

    def __init__(
        self, pid: int, start: int, parent: int, group: int, session: int, state: str, threads: int
    ) -> None:
        self.pid = pid
        self.start = start
        self.parent = parent
        self.group = group
        self.session = session
        self.state = state
        self.threads = threads

    @property
    def dead(self) -> bool:
        """Whether it has ended and waits to be reaped (a dead leader may have living threads)."""
        return self.state in "ZXx" and self.threads <= 1

    def __repr__(self) -> str:
        return f"process {self.pid} (state {self.state})"


class Processes(abc.ABC):
    """What killpoint needs to know of, and do to, processes that are not its own children."""

    @abc.abstractmethod
    def snapshot(self) -> dict[int, Seen]:
        """All processes of the machine by pid."""

    @abc.abstractmethod
    def look(self, pid: int) -> Seen | None:
        """One process, None if there is none of that pid."""

    @abc.abstractmethod
    def standing(self, seen: Seen) -> str:
        """RUNNING, WAITING (uninterruptible, takes no signal), STOPPED (every thread) or GONE."""

    @abc.abstractmethod
    def send(self, seen: Seen, number: int) -> None:
        """Send a signal to exactly that process; one that is gone or not ours is no error."""

    @abc.abstractmethod
    def send_group(self, group: int, number: int) -> None:
        """Send a signal to a process group at once, children being forked meanwhile included."""

    @abc.abstractmethod
    def variable(self, pid: int, name: str) -> str | None:
        """A variable of the environment it was started with; None if unset or not ours to read."""


def below(root: int, processes: Mapping[int, Seen]) -> list[Seen]:
    """The descendants of `root`, without it, parents before their children."""
    children: dict[int, list[Seen]] = {}
    for seen in processes.values():
        children.setdefault(seen.parent, []).append(seen)
    found: list[Seen] = []
    parents = [root]
    while parents:
        generation = [child for parent in parents for child in children.pop(parent, ())]
        found += generation
        parents = [child.pid for child in generation]
    return found


class Family:
    """Picks some processes and all that belongs to them out of snapshots, parents first.

    Given are `roots` (pid and start time) and what `belongs` says. Theirs is what is below them,
    and what is in the session of a root. What was seen once stays in when its parent dies.
    """

    def __init__(
        self,
        roots: Iterable[tuple[int, int]],
        belongs: Callable[[Seen], bool] = lambda seen: False,
    ) -> None:
        self._roots = dict(roots)
        self._belongs = belongs
        self._known = dict(self._roots)

    def __call__(self, processes: Mapping[int, Seen]) -> list[Seen]:
        sessions = {
            pid
            for pid, start in self._roots.items()
            if pid not in processes or processes[pid].start == start
        }
        found: dict[int, Seen] = {}
        for seen in below(0, processes):
            if (
                self._known.get(seen.pid) == seen.start
                or seen.parent in found
                or seen.session in sessions
                or self._belongs(seen)
            ):
                found[seen.pid] = seen
        self._known.update((seen.pid, seen.start) for seen in found.values())
        return list(found.values())


def parse_stat(line: bytes) -> Seen:
    """Parse /proc/<pid>/stat; the name in parentheses may itself hold spaces and parentheses."""
    head, _, tail = line.rpartition(b")")
    fields = tail.split()
    return Seen(
        pid=int(head.split(b" ", 1)[0]),
        start=int(fields[19]),
        parent=int(fields[1]),
        group=int(fields[2]),
        session=int(fields[3]),
        state=fields[0].decode("ascii"),
        threads=int(fields[17]),
    )


class LinuxProcesses(Processes):
    """/proc and pidfds (kernel 5.3 or newer)."""

    def snapshot(self) -> dict[int, Seen]:
        found: dict[int, Seen] = {}
        for name in _names("/proc"):
            if name.isdecimal() and (seen := self.look(int(name))) is not None:
                found[seen.pid] = seen
        return found

    def look(self, pid: int) -> Seen | None:
        content = _content(f"/proc/{pid}/stat")
        return parse_stat(content) if content else None

    def standing(self, seen: Seen) -> str:
        now = self.look(seen.pid)
        if now is None or now.start != seen.start or now.dead:
            return GONE
        return standing_of(self._thread_states(now) if now.threads > 1 else now.state)

    def _thread_states(self, seen: Seen) -> str:
        folder = f"/proc/{seen.pid}/task"
        contents = (_content(f"{folder}/{thread}/stat") for thread in _names(folder))
        return "".join(parse_stat(content).state for content in contents if content)

    def send(self, seen: Seen, number: int) -> None:
        try:
            handle = os.pidfd_open(seen.pid)
        except OSError:
            return
        try:
            # The handle pins the process; only then is a look at its start time conclusive.
            now = self.look(seen.pid)
            if now is not None and now.start == seen.start:
                signal.pidfd_send_signal(handle, number)
        except OSError:
            pass  # gone, or under another user: what is still there is seen by the next look
        finally:
            os.close(handle)

    def send_group(self, group: int, number: int) -> None:
        # 0 and 1 would mean our own group and everybody.
        if group > 1:
            # No error: it may be empty by now, and what is left is seen by the next look.
            with contextlib.suppress(OSError):
                os.killpg(group, number)

    def variable(self, pid: int, name: str) -> str | None:
        prefix = os.fsencode(name) + b"="
        for entry in (_content(f"/proc/{pid}/environ") or b"").split(b"\0"):
            if entry.startswith(prefix):
                return os.fsdecode(entry[len(prefix) :])
        return None


def standing_of(states: Iterable[str]) -> str:
    """How a process stands whose threads have these states (proc(5))."""
    living = [state for state in states if state not in "ZXx"]
    if not living:
        return GONE
    if any(state not in "tTD" for state in living):
        return RUNNING
    return WAITING if "D" in living else STOPPED


def _names(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except OSError:
        return []


def _content(path: str) -> bytes | None:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        content = b""
        while chunk := os.read(file, 65536):
            content += chunk
        return content
    except OSError:
        return None  # it ended between open and read
    finally:
        os.close(file)
