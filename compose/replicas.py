"""Several instances of the target that start and freeze together, as one target.

Counterparts: each is a process or container target of its own; `faults.target.Several` is what
killpoint asks of them. Each has proxies of its own where it can be told their addresses, so a
moment names it. What is done there is done to all, or to that one alone.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from killpoint.compose.housing import OwnedTarget
from killpoint.faults.environment import Address
from killpoint.faults.stage import Launch
from killpoint.faults.target import Exit


class Replicas:
    """Several of at least two, numbered from 1; `close` closes all.

    `launch(n)` is how the replica of index n is started beside the first, with ports of its own.
    """

    def __init__(self, replicas: Sequence[OwnedTarget], launch: Callable[[int], Launch]) -> None:
        self._replicas = dict(enumerate(replicas, 1))
        self._launch = launch
        self._living = set[int]()
        self.ended = 0

    @property
    def living(self) -> list[int]:
        """Those that were started and not ended since by killpoint."""
        return sorted(self._living)

    async def start(self, command: tuple[str, ...], environment: Mapping[str, str]) -> None:
        """Start all at once; the first by this command, the others by their own launches."""
        launches = {n: self._launch(n - 1) for n in self._replicas if n > 1}
        launches[1] = Launch(command, environment)
        starting = (self.start_one(n, one.command, one.environment) for n, one in launches.items())
        for failure in await asyncio.gather(*starting, return_exceptions=True):
            if failure is not None:
                raise failure

    async def start_one(
        self, replica: int, command: tuple[str, ...], environment: Mapping[str, str]
    ) -> None:
        """Start one; raises TargetError."""
        await self._replicas[replica].start(command, environment)
        self._living.add(replica)

    async def freeze(self) -> None:
        """Stop those that live; returns when every process of every one has stopped."""
        await asyncio.gather(*(replica.freeze() for replica in self._alive))

    async def thaw(self) -> None:
        """Let those that live go on."""
        await asyncio.gather(*(replica.thaw() for replica in self._alive))

    async def kill(self) -> None:
        """End all by SIGKILL; returns when they are dead."""
        await asyncio.gather(*(replica.kill() for replica in self._replicas.values()))
        self._living.clear()

    async def kill_one(self, replica: int) -> None:
        """End one by SIGKILL; returns when it is dead."""
        await self._replicas[replica].kill()
        self._living.discard(replica)

    async def terminate(self, grace: float) -> Exit:
        """SIGTERM to all at once; returns the first exit that was not in good order, else one."""
        exits = await asyncio.gather(*(replica.terminate(grace) for replica in self._alive))
        self._living.clear()
        return next((how for how in exits if how.code != 0), exits[0])

    async def terminate_one(self, replica: int, grace: float) -> Exit:
        """SIGTERM to one, `grace` seconds for its exit, then SIGKILL."""
        how = await self._replicas[replica].terminate(grace)
        self._living.discard(replica)
        return how

    async def exited(self) -> Exit:
        """Wait until one of those that live now ends; `ended` is then its number."""
        waiting = {
            asyncio.ensure_future(self._replicas[number].exited()): number for number in self.living
        }
        try:
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            first = min(done, key=lambda one: waiting[one])
            self.ended = waiting[first]
            return first.result()
        finally:
            for one in waiting:
                one.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    async def sockets(self) -> list[Address]:
        """The remote ends of the TCP connections of all."""
        return [one for replica in self._alive for one in await replica.sockets()]

    async def files(self) -> list[Path]:
        """The regular files that they have open for writing."""
        return [one for replica in self._alive for one in await replica.files()]

    async def listening(self) -> list[int]:
        """The ports that they listen on."""
        return [one for replica in self._alive for one in await replica.listening()]

    @property
    def pid(self) -> int | None:
        """The main process of the first."""
        return self._replicas[1].pid

    def log_to(self, path: Path) -> None:
        """The first writes there, the others beside it: target-2.log, target-3.log."""
        for number, replica in self._replicas.items():
            replica.log_to(path if number == 1 else path.with_stem(f"{path.stem}-{number}"))

    async def close(self) -> None:
        """Close all. Idempotent."""
        await asyncio.gather(*(replica.close() for replica in self._replicas.values()))

    @property
    def _alive(self) -> Iterable[OwnedTarget]:
        return [self._replicas[number] for number in self.living]
