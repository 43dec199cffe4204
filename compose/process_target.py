"""The target as a tree of processes on this machine, under a supervisor of its own.

Counterpart: `faults.target.Target` is what killpoint asks of it. The environment of each start and
the decision to start again are the caller's.
"""

import asyncio
import signal
from collections.abc import Mapping
from pathlib import Path

from killpoint.compose.connections import listening_ports, remote_addresses
from killpoint.compose.open_files import files_written
from killpoint.compose.process_tree import LinuxProcesses, below
from killpoint.compose.supervised import Process, Record, Supervisor
from killpoint.faults.environment import Address
from killpoint.faults.target import Exit, TargetError


class ProcessTarget:
    """A Target; `close` ends it with its supervisor.

    It runs in `folder` (the configuration's). `run` and `record` are those of Supervisor.start.
    """

    def __init__(
        self,
        folder: Path,
        log: Path,
        run: str = "",
        record: Record = lambda pid, start: None,
    ) -> None:
        self._folder = folder
        self._log = log
        self._run = run
        self._record = record
        self._supervisor: Supervisor | None = None
        self._process: Process | None = None
        self._frozen = False

    async def start(self, command: tuple[str, ...], environment: Mapping[str, str]) -> None:
        """Start an incarnation; what the previous one has left running is killed first.

        Raises TargetError, and SupervisorDied like every method.
        """
        if self._supervisor is None or not self._supervisor.alive:
            self._supervisor = await Supervisor.start(self._run, self._record)
        await self.kill()
        self._process = None
        self._process = await self._supervisor.spawn(
            command, env=environment, cwd=self._folder, log=self._log
        )

    async def freeze(self) -> None:
        """Stop the whole tree (SIGSTOP); returns when every process of it has stopped."""
        self._frozen = True
        await self._started().freeze()

    async def thaw(self) -> None:
        """Let a frozen tree go on."""
        await self._started().thaw()
        self._frozen = False

    async def kill(self) -> None:
        """End the whole tree by SIGKILL; returns when it is dead and reaped."""
        if self._supervisor is not None:
            await self._supervisor.kill()
            self._frozen = False

    async def terminate(self, grace: float) -> Exit:
        """SIGTERM to the main process, `grace` seconds for its exit, then SIGKILL to the tree."""
        process = self._incarnation()
        await process.signal(signal.SIGTERM)
        if self._frozen:
            await self.thaw()  # the SIGTERM is pending: it comes first
        try:
            async with asyncio.timeout(grace):
                await process.wait()
        except TimeoutError:
            pass
        await self.kill()
        return await process.wait()

    async def exited(self) -> Exit:
        """Wait for the main process of the present incarnation to end, however it ends."""
        return await self._incarnation().wait()

    @property
    def pid(self) -> int | None:
        """The main process of the present incarnation."""
        return None if self._process is None else self._process.pid

    def log_to(self, path: Path) -> None:
        """Where the output of the incarnations to come goes (appended, standard error too)."""
        self._log = path

    async def sockets(self) -> list[Address]:
        """The remote ends of the TCP connections that the tree has opened, at this instant.

        One that lived between two calls is not seen.
        """
        return remote_addresses(self._pids())

    async def files(self) -> list[Path]:
        """The regular files that the tree has open for writing, but for its log."""
        log = self._log.resolve()
        return [path for path in files_written(self._pids()) if path != log]

    async def listening(self) -> list[int]:
        """The TCP ports that the tree listens on, at this instant."""
        return listening_ports(self._pids())

    async def close(self) -> None:
        """Kill the tree and end the supervisor. Idempotent."""
        if self._supervisor is not None:
            await self._supervisor.close()

    def _pids(self) -> list[int]:
        supervisor = self._supervisor
        if supervisor is None or not supervisor.alive:
            return []
        return [seen.pid for seen in below(supervisor.pid, LinuxProcesses().snapshot())]

    def _started(self) -> Supervisor:
        if self._supervisor is None:
            raise TargetError("the target has not been started")
        return self._supervisor

    def _incarnation(self) -> Process:
        if self._process is None:
            raise TargetError("the target has not been started")
        return self._process
