"""Several instances of the target that start, freeze and die together, as one target.

Counterparts: each is a process or container target of its own; `faults.target.Target` is what
killpoint asks of them all. Each has proxies of its own where it can be told their addresses, so a
moment names it; what is done there is done to all.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from killpoint.compose.housing import OwnedTarget
from killpoint.faults.environment import Address
from killpoint.faults.stage import Launch
from killpoint.faults.target import Exit


class Replicas:
    """A Target of at least two; `close` closes all.

    `launch(n)` is how the replica of index n is started beside the first, with ports of its own.
    """

    def __init__(self, replicas: Sequence[OwnedTarget], launch: Callable[[int], Launch]) -> None:
        self._replicas = tuple(replicas)
        self._launch = launch

    async def start(self, command: tuple[str, ...], environment: Mapping[str, str]) -> None:
        """Start all; the first by this command, the others by their own launches."""
        await self._replicas[0].start(command, environment)
        for index, replica in enumerate(self._replicas[1:], 1):
            launch = self._launch(index)
            await replica.start(launch.command, launch.environment)

    async def freeze(self) -> None:
        """Stop all; returns when every process of every replica has stopped."""
        await asyncio.gather(*(replica.freeze() for replica in self._replicas))

    async def thaw(self) -> None:
        """Let all go on."""
        await asyncio.gather(*(replica.thaw() for replica in self._replicas))

    async def kill(self) -> None:
        """End all by SIGKILL; returns when they are dead."""
        await asyncio.gather(*(replica.kill() for replica in self._replicas))

    async def terminate(self, grace: float) -> Exit:
        """SIGTERM to all at once; returns the first exit that was not in good order, else one."""
        exits = await asyncio.gather(*(replica.terminate(grace) for replica in self._replicas))
        return next((how for how in exits if how.code != 0), exits[0])

    async def exited(self) -> Exit:
        """Wait until one of them ends."""
        waiting = [asyncio.ensure_future(replica.exited()) for replica in self._replicas]
        try:
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            return next(iter(done)).result()
        finally:
            for one in waiting:
                one.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    async def sockets(self) -> list[Address]:
        """The remote ends of the TCP connections of all."""
        return [one for replica in self._replicas for one in await replica.sockets()]

    async def files(self) -> list[Path]:
        """The regular files that they have open for writing."""
        return [one for replica in self._replicas for one in await replica.files()]

    async def listening(self) -> list[int]:
        """The ports that they listen on."""
        return [one for replica in self._replicas for one in await replica.listening()]

    @property
    def pid(self) -> int | None:
        """The main process of the first."""
        return self._replicas[0].pid

    def log_to(self, path: Path) -> None:
        """The first writes there, the others beside it: target-2.log, target-3.log."""
        self._replicas[0].log_to(path)
        for number, replica in enumerate(self._replicas[1:], 2):
            replica.log_to(path.with_stem(f"{path.stem}-{number}"))

    async def close(self) -> None:
        """Close all. Idempotent."""
        await asyncio.gather(*(replica.close() for replica in self._replicas))
