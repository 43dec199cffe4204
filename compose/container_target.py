"""The target as a container: started, frozen, killed and looked into by way of the engine.

Counterpart: `faults.target.Target` is what killpoint asks of it. Frozen is the control group's
freezer; a kill while frozen is sent to every process first and takes effect as they thaw, so none
of them runs another instruction of its own.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from killpoint.compose.connections import remote_addresses
from killpoint.compose.container_control import freeze, send_signal, thaw
from killpoint.compose.container_processes import kill_all, processes_of
from killpoint.compose.docker_container import Container, create, log_of, start
from killpoint.compose.docker_engine import CONFLICT, NOT_FOUND, Engine, EngineRefused
from killpoint.compose.docker_run import DockerRun
from killpoint.compose.open_files import files_written
from killpoint.faults.environment import Address
from killpoint.faults.target import Exit, TargetError

_KILLED: Final = 128 + 9
_OOM_LOOKS, _OOM_SECONDS = 10, 0.02
"""The engine learns of the kernel's reason by another way than of the exit."""


class ContainerTarget:
    """A Target; `close` removes its containers.

    `image` is what incarnations to come are made of, but for command and environment. `same`: the
    container starts again after a kill and keeps its files, as with a restart policy; otherwise
    each incarnation is a new one, as in a rollout. Engine errors are raised as EngineRefused.
    """

    def __init__(self, run: DockerRun, image: Container, log: Path, *, same: bool = False) -> None:
        self._run = run
        self.image = image
        self._log = log
        self._same = same
        self._made: Container | None = None
        self._id = ""
        self._pid: int | None = None
        self._ended: asyncio.Future[int] | None = None
        self._logged = 0
        self._removals: set[asyncio.Task[None]] = set()

    async def start(self, command: tuple[str, ...], environment: Mapping[str, str]) -> None:
        """Start an incarnation; what the previous one has left running is killed first.

        Raises TargetError.
        """
        await self.kill()
        wanted = replace(self.image, command=command, environment=dict(environment))
        try:
            if not (self._same and self._id and wanted == self._made):
                await self._discard()
                self._id = await create(self._engine, wanted, self._run.name("target"))
                self._made, self._logged = wanted, 0
            await start(self._engine, self._id)
            self._ended = self._engine.waiting(self._id)
            self._pid = (await self._engine.inspect(self._id))["State"]["Pid"] or None
        except EngineRefused as error:
            await self._discard()
            raise TargetError(_not_started(error, wanted)) from error

    async def freeze(self) -> None:
        """Freeze every process of the container; one that has ended is left as it is."""
        await freeze(self._engine, self._id)

    async def thaw(self) -> None:
        """Let a frozen container go on."""
        await thaw(self._engine, self._id)

    async def kill(self) -> None:
        """End the container by SIGKILL; returns when it is dead, its output is kept."""
        if self._ended is None:
            return
        if not self._ended.done():
            kill_all(self._pids())
            # Sent again by the engine, which then thaws a frozen container.
            await send_signal(self._engine, self._id, "SIGKILL")
        await asyncio.shield(self._ended)
        await self._keep_log()
        self._ended = self._pid = None
        if not self._same:
            self._discard_later()

    async def terminate(self, grace: float) -> Exit:
        """The image's stop signal to the main process, `grace` seconds for its exit, then SIGKILL.

        A frozen container gets the signal before it goes on: the engine sends it, then thaws. Not
        every engine does, so it is thawed here too.
        """
        ended = self._incarnation()
        known = await self._engine.inspect(self._id)
        await send_signal(self._engine, self._id, known["Config"].get("StopSignal") or "SIGTERM")
        if known["State"]["Paused"]:
            await self.thaw()
        await asyncio.wait({ended}, timeout=grace)
        if not ended.done():
            await send_signal(self._engine, self._id, "SIGKILL")
        how = await self._how(await asyncio.shield(ended))
        await self.kill()
        return how

    async def exited(self) -> Exit:
        """Wait for the container to end, however it ends."""
        return await self._how(await asyncio.shield(self._incarnation()))

    @property
    def pid(self) -> int | None:
        """The main process of the present incarnation, as the engine's machine counts."""
        return self._pid

    def log_to(self, path: Path) -> None:
        """Where the output of the incarnations to come goes (appended, standard error too)."""
        self._log = path

    async def output(self) -> str:
        """What the present container has written so far, to both outputs."""
        return (await log_of(self._engine, self._id)).decode("utf-8", "replace")

    async def sockets(self) -> list[Address]:
        """The remote ends of the TCP connections of the container, at this instant.

        None are seen where killpoint may not look into its processes.
        """
        return remote_addresses(self._pids())

    async def files(self) -> list[Path]:
        """The regular files that the container has open for writing, by their paths in it."""
        return files_written(self._pids())

    async def listening(self) -> list[int]:
        """None of this machine: a container has ports of its own."""
        return []

    async def close(self) -> None:
        """Kill the container and remove what is left. Idempotent."""
        await self.kill()
        await self._discard()
        await asyncio.gather(*self._removals)

    # ── one container ────────────────────────────────────────────────────────────────────────────

    @property
    def _engine(self) -> Engine:
        return self._run.engine

    def _incarnation(self) -> "asyncio.Future[int]":
        if self._ended is None:
            raise TargetError("the target has not been started")
        return self._ended

    def _pids(self) -> list[int]:
        return processes_of(self._id, self._pid or 0)

    async def _how(self, code: int) -> Exit:
        """An exit with its cause, as far as the engine knows one."""
        looks = _OOM_LOOKS if code == _KILLED and self.image.memory else 1
        for look in range(looks):
            if await self._out_of_memory():
                return Exit(code, cause="killed by the OOM killer (out of memory)")
            if look + 1 < looks:
                await asyncio.sleep(_OOM_SECONDS)
        return Exit(code)

    async def _out_of_memory(self) -> bool:
        try:
            return bool((await self._engine.inspect(self._id))["State"].get("OOMKilled"))
        except EngineRefused:
            return False  # it was removed meanwhile, so killpoint has ended it

    async def _keep_log(self) -> None:
        """Append what this incarnation has written; the same container's log grows on."""
        text = await log_of(self._engine, self._id)
        with self._log.open("ab") as log:
            log.write(text[self._logged :])
        self._logged = len(text)

    async def _discard(self) -> None:
        """Remove the container, if there is one."""
        id, self._id = self._id, ""
        if id:
            await _remove(self._engine, id)

    def _discard_later(self) -> None:
        """Remove the dead container while the run goes on: it takes a tenth of a second."""
        id, self._id = self._id, ""
        task = asyncio.ensure_future(_remove(self._engine, id))
        self._removals.add(task)
        task.add_done_callback(self._removals.discard)


async def _remove(engine: Engine, id: str) -> None:
    try:
        await engine.ask("remove the target", lambda c: c.remove_container(id, v=True, force=True))
    except EngineRefused as error:
        if error.status not in (CONFLICT, NOT_FOUND):
            raise


def _not_started(error: EngineRefused, wanted: Container) -> str:
    command = f" with {' '.join(wanted.command)}" if wanted.command else ""
    return (
        f"the container of {wanted.image}{command} could not be started: {error.reason}. "
        "Check [target] image, command, user and volumes."
    )
