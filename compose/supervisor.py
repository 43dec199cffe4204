"""The supervisor: a small process that owns everything started below it. Standard library only.

Counterpart: `supervised` starts it and speaks to it. It is a child subreaper, so a daemon that
forks twice and leaves its session still becomes its child: everything below it is one tree, which
it can freeze, thaw and kill whole. When its input ends (killpoint closed it, or was killed), it
kills that tree and ends. It knows nothing of Kafka, consumers or faults.

One JSON object a line. In: {"id", "do": "spawn" | "freeze" | "thaw" | "kill" | "signal", …}. Out:
first {"pid", "start"} of itself; then {"id", "started": [pid, start time]}, {"id", "error": [step,
errno]} or {"id", "left": [[pid, how], …]} (what could not be stopped or killed); and {"exit": pid,
"code", "signal"} for each main process, before the answer to the kill that caused it.
"""

from __future__ import annotations

import contextlib
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any  # the import costs a quarter of the time that the start takes

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
            assert me is not None
            self._say({"pid": me.pid, "start": me.start})
            with contextlib.suppress(ControlEnded):
                self._serve()
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

    def _answer(self, request: dict[str, Any]) -> None:
        try:
            answer = self._do(request)
        except LaunchError as problem:
            answer = {"error": [problem.step, problem.number]}
        self._say({"id": request["id"], **answer})

    def _do(self, request: dict[str, Any]) -> dict[str, object]:
        match request["do"]:
            case "spawn":
                return {"started": self._spawn(request)}
            case "freeze":
                left = self._everything.freeze(FREEZE_LIMIT_SECONDS, WAITING_LIMIT_SECONDS)
                return {"left": [[seen.pid, self._processes.standing(seen)] for seen in left]}
            case "thaw":
                self._everything.thaw()
            case "kill":
                left = self._tree(request).kill(KILL_LIMIT_SECONDS, self._reap)
                return {"left": [[seen.pid, seen.state] for seen in left]}
            case "signal":
                if (seen := self._main.get(request["pid"])) is not None:
                    self._processes.send(seen, request["signal"])
            case unknown:
                raise ValueError(f"a request that nobody knows: {unknown!r}")
        return {"left": []}

    def _spawn(self, request: dict[str, Any]) -> list[int]:
        pid = launch(
            request["command"],
            {**request["env"], RUN_VARIABLE: self._run},
            request["cwd"],
            request["log"],
            request["user"],
            request["ends"],
        )
        # It cannot vanish before it is reaped, and nothing has been reaped since the fork.
        seen = self._processes.look(pid)
        assert seen is not None
        self._main[pid] = seen
        return [pid, seen.start]

    def _below(self, processes: Mapping[int, Seen]) -> list[Seen]:
        return below(os.getpid(), processes)

    def _tree(self, request: dict[str, Any]) -> TreeControl:
        if "pid" not in request:
            return self._everything
        family = Family([(request["pid"], request["start"])])
        return TreeControl(self._processes, family, time.monotonic, self._rest)

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
        with contextlib.suppress(BlockingIOError):
            while os.read(self._child_ended, 4096):
                pass

    def _tell_exit(self, pid: int, code: int) -> None:
        exited = {"code": code, "signal": None} if code >= 0 else {"code": None, "signal": -code}
        with contextlib.suppress(ControlEnded):  # the end of the requests follows
            self._say({"exit": pid, **exited})

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
