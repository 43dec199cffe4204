"""Processes under a supervisor, for asyncio: spawn, freeze, thaw and kill everything below it.

Counterpart: the program `supervisor`, one for each Supervisor here, in a session of its own so that
Ctrl-C in a terminal does not reach it. However this process ends, the supervisor kills what it
started. It does not restart anything.
"""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import killpoint
from killpoint.compose.process_tree import RUN_VARIABLE, LinuxProcesses
from killpoint.compose.start_failure import start_failure
from killpoint.compose.strays import kill_orphaned
from killpoint.faults.target import Exit, TargetError
from killpoint.faults.to_the_end import to_the_end

# Only the standard library and this package are within its reach: it starts fast, and nothing that
# a user has installed runs in it.
_PROGRAM = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from killpoint.compose.supervisor import main; main()"
)
_ROOT = Path(killpoint.__file__).parent.parent
_END_LIMIT_SECONDS = 15.0

Record = Callable[[int, int], None]
"""Called with the pid and the start time of everything started (RunFolder.record)."""


class SupervisorDied(RuntimeError):
    """The supervisor ended although nobody asked it to; what it had started has been killed."""


class Process:
    """A main process that a Supervisor started."""

    def __init__(self, supervisor: "Supervisor", pid: int, start: int) -> None:
        self.pid = pid
        self.start = start
        self._supervisor = supervisor
        self._exit: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()

    @property
    def exit(self) -> Exit | None:
        """How it ended; None while it lives (or if its supervisor died)."""
        ended = self._exit.done() and self._exit.exception() is None
        return self._exit.result() if ended else None

    async def wait(self) -> Exit:
        """Wait for its end. Raises SupervisorDied."""
        return await asyncio.shield(self._exit)

    async def kill(self) -> None:
        """SIGKILL to its tree; returns when all of it is dead and reaped. Raises SupervisorDied.

        Its tree: what is below it, or in its session; daemons that left both before this call
        belong to nobody and go with Supervisor.kill.
        """
        await self._supervisor.kill_tree(self)

    async def signal(self, number: int) -> None:
        """Send a signal to this process alone; nothing happens if it has ended."""
        await self._supervisor.signal(self, number)

    def ended(self, how: Exit | SupervisorDied) -> None:
        """Said by the supervisor's reader, once."""
        if isinstance(how, Exit):
            self._exit.set_result(how)
        else:
            self._exit.set_exception(how)
            self._exit.exception()  # it need not be asked for by anybody


class Supervisor:
    """The connection to one supervisor process; start with `await Supervisor.start()`.

    Every method but `close` raises SupervisorDied if the supervisor ended unasked.
    """

    def __init__(self, program: asyncio.subprocess.Process, run: str, record: Record) -> None:
        self._program = program
        self._run = run
        self._record = record
        self._requests = 0
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._processes: dict[int, Process] = {}
        self._died: SupervisorDied | None = None
        self._closing = False
        self._reader: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, run: str = "", record: Record = lambda pid, start: None) -> Self:
        """Start a supervisor process and wait until it serves.

        `run` is the value of KILLPOINT_RUN in the environment of all that it starts (default: one
        of its own), `record` is told of every process started: see RunFolder.
        """
        run = run or f"supervisor-{secrets.token_hex(8)}"
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", "-E", "-c", _PROGRAM, str(_ROOT), "supervisor", run),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, RUN_VARIABLE: run},
        )
        self = cls(program, run, record)
        try:
            hello = await self._read()
            if not hello:
                raise await self._mourn()
            record(hello["pid"], hello["start"])
        except BaseException:
            await to_the_end(self.close())
            raise
        self._reader = asyncio.create_task(self._read_all())
        return self

    @property
    def pid(self) -> int:
        """The supervisor's own process: all that it started is below it."""
        return self._program.pid

    @property
    def alive(self) -> bool:
        """Whether it can still be asked for anything."""
        return self._died is None and not self._closing

    async def spawn(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path,
        log: Path,
        user: tuple[int, int] | None = None,
        ends: tuple[Path, Path] | None = None,
    ) -> Process:
        """Start `command` in a session of its own; returns when its program runs (after exec).

        `env` is the whole environment (KILLPOINT_RUN is added), standard output and error are
        appended to `log`, `user` is (uid, gid). A command with a slash is resolved in `cwd`, others
        on the PATH of `env`. `ends`: existing files for its input and standard output. Raises
        TargetError.
        """
        if not command:
            raise TargetError("could not start the command: it is empty. Give a program.")
        answer = await self._ask(
            "spawn",
            command=list(command),
            env=dict(env),
            cwd=str(cwd),
            log=str(log),
            user=user,
            ends=None if ends is None else [str(end) for end in ends],
        )
        if "error" in answer:
            raise TargetError(start_failure(command, env, cwd, log, *answer["error"]))
        process: Process = answer["process"]
        return process

    async def freeze(self) -> tuple[int, ...]:
        """SIGSTOP everything below; returns when every thread of every process has stopped.

        Returns the pids of those that wait in the kernel and so take no signal now (a parent in
        vfork whose child is stopped); they cannot go on without being stopped. Raises TargetError
        if the tree cannot be stopped.
        """
        left: list[tuple[int, str]] = (await self._ask("freeze"))["left"]
        if running := [pid for pid, how in left if how == "running"]:
            raise TargetError(
                f"the target cannot be stopped: {_names(running)} still running after SIGSTOP. "
                "It forks without end, or runs as another user: start it without sudo."
            )
        return tuple(pid for pid, _ in left)

    async def thaw(self) -> None:
        """SIGCONT to everything below."""
        await self._ask("thaw")

    async def kill(self) -> None:
        """SIGKILL everything below; returns when it is dead and reaped, daemons included.

        Raises TargetError if something does not die (in an uninterruptible wait, or not ours).
        """
        _require_dead(await self._ask("kill"))

    async def kill_tree(self, process: Process) -> None:
        """See Process.kill."""
        _require_dead(await self._ask("kill", pid=process.pid, start=process.start))

    async def signal(self, process: Process, number: int) -> None:
        """See Process.signal."""
        if process.exit is None:
            await self._ask("signal", pid=process.pid, signal=number)

    async def close(self) -> None:
        """Kill everything below and end the supervisor; returns when it is reaped. Idempotent."""
        self._closing = True
        if self._program.stdin is not None:
            self._program.stdin.close()
        try:
            async with asyncio.timeout(_END_LIMIT_SECONDS):
                await self._program.wait()
        except TimeoutError:
            self._program.kill()
        if self._reader is not None:
            await self._reader

    async def _ask(self, what: str, **details: object) -> dict[str, Any]:
        if self._died is not None:
            raise self._died
        if self._closing:
            raise SupervisorDied("the supervisor has been closed: start another one")
        assert self._program.stdin is not None
        self._requests += 1
        number = self._requests
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        line = json.dumps({"id": number, "do": what, **details})
        self._program.stdin.write(line.encode() + b"\n")
        # The reader fails the answer if the supervisor is gone: no need to look at the pipe.
        with contextlib.suppress(ConnectionError):
            await self._program.stdin.drain()
        return await answer

    async def _read(self) -> dict[str, Any]:
        """The next message; empty at the end."""
        assert self._program.stdout is not None
        line = await self._program.stdout.readline()
        message: dict[str, Any] = json.loads(line) if line.endswith(b"\n") else {}
        return message

    async def _read_all(self) -> None:
        while message := await self._read():
            if "exit" in message:
                self._ended(message["exit"], Exit(message["code"], message["signal"]))
            else:
                self._answered(message)
        self._fail_all(await self._mourn())

    def _ended(self, pid: int, how: Exit) -> None:
        if (process := self._processes.pop(pid, None)) is not None:
            process.ended(how)

    def _answered(self, message: dict[str, Any]) -> None:
        if "started" in message:
            # Here and not in `spawn`: its exit may be the very next line.
            pid, start = message["started"]
            message["process"] = self._processes[pid] = Process(self, pid, start)
            self._record(pid, start)
        waiting = self._answers.pop(message["id"])
        if not waiting.done():
            waiting.set_result(message)

    async def _mourn(self) -> SupervisorDied:
        """The error to raise once the supervisor has ended and nothing of it is left."""
        assert self._program.stderr is not None
        said = (await self._program.stderr.read()).decode(errors="replace").strip()
        code = await self._program.wait()
        if self._closing:
            return SupervisorDied("the supervisor has been closed")
        how = signal.Signals(-code).name if code < 0 else f"exit {code}"
        mains = [(process.pid, process.start) for process in self._processes.values()]
        await asyncio.to_thread(kill_orphaned, LinuxProcesses(), mains, self._run)
        last = said.splitlines()[-1] if said else "it said nothing"
        return SupervisorDied(
            f"the supervisor of the target's processes ended unasked ({how}: {last}). "
            "What it had started has been killed. Was it killed from outside, or memory short?"
        )

    def _fail_all(self, problem: SupervisorDied) -> None:
        self._died = problem
        for process in self._processes.values():
            process.ended(problem)
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(problem)
        self._processes.clear()
        self._answers.clear()


def _require_dead(answer: dict[str, Any]) -> None:
    if answer["left"]:
        said = ", ".join(f"{pid} (state {state})" for pid, state in answer["left"])
        raise TargetError(
            f"did not die of SIGKILL: process {said}. It waits in the kernel (state D) or runs as "
            "another user: end it by hand."
        )


def _names(pids: Sequence[int]) -> str:
    return ("process " if len(pids) == 1 else "processes ") + ", ".join(map(str, pids))
