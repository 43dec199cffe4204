"""The target: what killpoint asks of whatever runs the consumer under test.

Counterpart: `compose` implements it for a tree of processes (later for containers).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from killpoint.faults.environment import Address


@dataclass(frozen=True, slots=True)
class Exit:
    """The end of the target's main process: its exit code, or the number of the signal.

    `cause` is why, in words, where that is known (the kernel's want of memory).
    """

    code: int | None
    signal: int | None = None
    cause: str | None = None

    def __str__(self) -> str:
        how = f"exit {self.code}" if self.signal is None else f"signal {self.signal}"
        return f"{how}, {self.cause}" if self.cause else how


class Target(Protocol):
    """The consumer under test, or one instance of it; at most one incarnation lives at a time."""

    async def start(self, command: tuple[str, ...], environment: Mapping[str, str]) -> None:
        """Start an incarnation; raises TargetError if the command cannot be started."""
        ...

    async def freeze(self) -> None:
        """Stop the whole tree (SIGSTOP); returns when every process of it has stopped."""
        ...

    async def thaw(self) -> None:
        """Let a frozen tree go on."""
        ...

    async def kill(self) -> None:
        """End the whole tree by SIGKILL; returns when it is dead and reaped."""
        ...

    async def terminate(self, grace: float) -> Exit:
        """SIGTERM to the main process, `grace` seconds for its exit, then SIGKILL to the tree."""
        ...

    async def exited(self) -> Exit:
        """Wait for the main process of the present incarnation to end, however it ends."""
        ...

    async def sockets(self) -> list[Address]:
        """The remote ends of the TCP connections of the tree, at this instant."""
        ...

    async def files(self) -> list[Path]:
        """The regular files that the tree has open for writing, but for its log."""
        ...

    async def listening(self) -> list[int]:
        """The TCP ports of this machine that the tree listens on, at this instant."""
        ...

    @property
    def pid(self) -> int | None:
        """The main process of the present incarnation."""
        ...

    def log_to(self, path: Path) -> None:
        """Where the output of the incarnations to come goes (appended, standard error too)."""
        ...


class Several(Target, Protocol):
    """Instances of a target that may die one at a time; they are numbered from 1.

    As a Target it is those that live.
    """

    @property
    def living(self) -> list[int]:
        """Those that were started and not ended since by `kill`, `kill_one` or `terminate_one`."""
        ...

    @property
    def ended(self) -> int:
        """Which one it was whose end `exited` has told of last."""
        ...

    async def start_one(
        self, replica: int, command: tuple[str, ...], environment: Mapping[str, str]
    ) -> None:
        """Start one again; raises TargetError if the command cannot be started."""
        ...

    async def kill_one(self, replica: int) -> None:
        """End one by SIGKILL; returns when it is dead and reaped."""
        ...

    async def terminate_one(self, replica: int, grace: float) -> Exit:
        """SIGTERM to one, `grace` seconds for its exit, then SIGKILL."""
        ...


class TargetError(RuntimeError):
    """The target could not be started; the message says why and what to do."""
