"""The supervisor: a small process that owns everything started below it. Standard library only.

Counterpart: `supervised` starts it and speaks to it. It is a child subreaper, so a daemon that
forks twice and leaves its session still becomes its child: everything below it is one tree, which
it can freeze, thaw and kill whole. When its input ends (killpoint closed it, or was killed), it
kills that tree and ends. It knows nothing of Kafka, consumers or faults.

One JSON object a line. In: {"id", "do": "spawn" | "freeze" | "thaw" | "kill" | "signal", …}; out:
{"id", "ok": …} or {"id", "error": …}, and {"exit": pid, "code", "signal"} for each main process,
always before the answer to the kill that caused it. First of all {"pid", "start"} of itself.
"""

import json
import os
import select
import signal
import sys
import time
from collections.abc import Mapping

from killpoint.compose.launch import LaunchError, adopt_orphans, launch
from killpoint.compose.process_tree import RUN_VARIABLE, Family, LinuxProcesses, Seen, below
from killpoint.compose.tree_control import TreeControl

FREEZE_LIMIT_SECONDS = 5.0
WAITING_LIMIT_SECONDS = 0.2
KILL_LIMIT_SECONDS = 10.0
REST_MILLISECONDS = 1


class ControlEnded(Exception):
    """Nobody listens at the other end of the control pipes."""


class Supervisor:
    """The state of the process: its main processes that live, and the pipes."""

    def __init__(self, requests: int, answers: int, run: str) -> None:
        self._requests = requests
        self._answers = answers
        self._run = run
        self._main: dict[int, Seen] = {}
        self._processes = LinuxProcesses()
        self._everything = TreeControl(self._processes, self._below, time.monotonic, self._rest)
        self._child_ended, self._wakeup = os.pipe()
        self._poll = select.poll()

    def run(self) -> None:
        """Serve until the requests end, then kill everything below."""
        adopt_orphans()
        self._listen_for_children()
        try:
            me = self._processes.look(os.getpid())
            self._say({"pid": os.getpid(), "start": me.start if me else 0})
            self._serve()
        except ControlEnded:
            pass
        finally:
            # What is left after the limit waits in the kernel, with its SIGKILL pending.
            self._everything.kill(KILL_LIMIT_SECONDS, self._reap)

    def _listen_for_children(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        for end in (self._child_ended, self._wakeup):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(self._wakeup, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        self._poll.register(self._child_ended, select.POLLIN)

    def _serve(self) -> None:
        both = select.poll()
        both.register(self._requests, select.POLLIN)
        both.register(self._child_ended, select.POLLIN)
        pending = b""
        while True:
            ready = {file for file, _ in both.poll()}
            if self._child_ended in ready:
                self._reap()
            if self._requests in ready:
                received = os.read(self._requests, 1 << 20)
                if not received:
                    return
                *lines, pending = (pending + received).split(b"\n")
                for line in lines:
                    self._answer(json.loads(line))

    def _answer(self, request: dict[str, object]) -> None:
        try:
            answer = {"ok": self._do(request)}
        except LaunchError as problem:
            answer = {"error": {"step": problem.step, "errno": problem.number}}
        self._say({"id": request["id"], **answer})

    def _do(self, request: dict[str, object]) -> object:
        match request:
            case {"do": "spawn"}:
                return self._spawn(request)
            case {"do": "freeze"}:
                left = self._everything.freeze(FREEZE_LIMIT_SECONDS, WAITING_LIMIT_SECONDS)
                return [[seen.pid, self._processes.standing(seen)] for seen in left]
            case {"do": "thaw"}:
                return self._everything.thaw()
            case {"do": "kill", "pid": int(pid), "start": int(start)}:
                return self._kill(self._tree_of(pid, start))
            case {"do": "kill"}:
                return self._kill(self._everything)
            case {"do": "signal", "pid": int(pid), "signal": int(number)} if pid in self._main:
                return self._processes.send(self._main[pid], number)
            case _:
                return None

    def _spawn(self, request: Mapping[str, object]) -> list[int]:
        match request:
            case {
                "command": [*command],
                "env": dict() as env,
                "cwd": str(folder),
                "log": str(log),
                "user": user,
            }:
                names = {str(name): str(value) for name, value in env.items()}
                names[RUN_VARIABLE] = self._run
                ids = (int(user[0]), int(user[1])) if isinstance(user, list) else None
                pid = launch([str(word) for word in command], names, folder, log, ids)
            case _:
                raise ValueError(f"not a request to spawn: {sorted(request)}")
        # It cannot vanish before it is reaped, and nothing has been reaped since the fork.
        seen = self._processes.look(pid)
        assert seen is not None
        self._main[pid] = seen
        return [pid, seen.start]

    def _below(self, processes: Mapping[int, Seen]) -> list[Seen]:
        return below(os.getpid(), processes)

    def _tree_of(self, pid: int, start: int) -> TreeControl:
        family = Family([(pid, start)])
        return TreeControl(self._processes, family, time.monotonic, self._rest)

    def _kill(self, tree: TreeControl) -> list[list[object]]:
        left = tree.kill(KILL_LIMIT_SECONDS, self._reap)
        return [[seen.pid, seen.state] for seen in left]

    def _rest(self) -> None:
        """Wait for the end of a child, a millisecond at most."""
        self._poll.poll(REST_MILLISECONDS)

    def _reap(self) -> bool:
        """Collect every child that has ended; whether there is no child left, dead or alive."""
        self._drain_wakeups()
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            if self._main.pop(pid, None) is not None:
                self._tell_exit(pid, os.waitstatus_to_exitcode(status))

    def _drain_wakeups(self) -> None:
        try:
            while os.read(self._child_ended, 4096):
                pass
        except BlockingIOError:
            pass

    def _tell_exit(self, pid: int, code: int) -> None:
        exited = {"code": code, "signal": None} if code >= 0 else {"code": None, "signal": -code}
        try:
            self._say({"exit": pid, **exited})
        except ControlEnded:
            pass  # the end of the requests follows

    def _say(self, message: Mapping[str, object]) -> None:
        data = json.dumps(message).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._answers, data) :]
        except OSError:
            raise ControlEnded from None


def main() -> None:
    """Serve on standard input and output; the last argument is the mark of the run."""
    Supervisor(0, 1, sys.argv[-1]).run()
