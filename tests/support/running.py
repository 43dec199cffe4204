"""A killpoint of its own, as a process: what belongs to it, when to end it, and what it left.

Counterpart: `tests/system/test_interrupts.py`. It looks only at what this one process started: by
parentage, remembered from look to look, and by the temporary folder that is its own.
"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from killpoint.compose.connections import parse_table
from killpoint.compose.process_tree import LinuxProcesses, Seen, below

MAIN = "from killpoint.cli.main import main; main()"
POLL_SECONDS = 0.02  # a look at all processes takes some milliseconds
LIMIT_SECONDS = 120.0
LISTENING = 0x0A
EMBEDDED = {"KILLPOINT_STACK": "embedded"}
"""Whatever this machine has: a test that means another stack says so."""


class Running:
    """One `killpoint …` on a project, its temporary files in `temporary`."""

    def __init__(
        self,
        project: Path,
        temporary: Path,
        *arguments: str,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.project = project
        self.temporary = temporary
        self.errors = project / "stderr"
        self._known: dict[int, Seen] = {}
        self._listened: set[int] = set()
        self._memory: set[Path] = set()
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", MAIN, *arguments],
                cwd=project,
                env={**os.environ, **EMBEDDED, **(variables or {}), "TMPDIR": str(temporary)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    # ── while it runs ────────────────────────────────────────────────────────────────────────────

    def until(self, what: Callable[[Self], bool]) -> None:
        """Wait for a condition of this run. Fails if the run ends before."""
        deadline = time.monotonic() + LIMIT_SECONDS
        self._look()
        while not what(self):
            assert self.process.poll() is None, f"it ended too soon:\n{self.said}"
            assert time.monotonic() < deadline, f"it never came so far:\n{self.said}"
            time.sleep(POLL_SECONDS)
            self._look()
        self._look_closely()

    def program(self, word: str) -> Seen | None:
        """A living process of its own that has `word` in its command."""
        for seen in self._known.values():
            if _same(LinuxProcesses().look(seen.pid), seen) and word in _command(seen.pid):
                return seen
        return None

    def evidence(self, scenario: str, name: str) -> bool:
        """Whether a file of the evidence has been made."""
        return any(self.project.glob(f".killpoint/runs/*/{scenario}/{name}"))

    @property
    def said(self) -> str:
        """Its standard error so far."""
        return self.errors.read_text(encoding="utf-8")

    def ended(self) -> int:
        """Wait for its end; returns the exit code."""
        return self.process.wait(LIMIT_SECONDS)

    def _look(self) -> None:
        living = LinuxProcesses().snapshot()
        for seen in below(self.process.pid, living):
            self._known[seen.pid] = seen

    def _look_closely(self) -> None:
        for seen in self._known.values():
            links = _links(seen.pid, "fd/*")
            self._listened |= {int(link[8:-1]) for link in links if link.startswith("socket:[")}
            for link in _links(seen.pid, "cwd"):
                if link.startswith("/dev/shm/killpoint-"):
                    self._memory.add(Path(*Path(link).parts[:4]))

    # ── what it left ─────────────────────────────────────────────────────────────────────────────

    def wait_alone(self) -> None:
        """Wait until no process of it is left."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while left := self.processes():
            assert time.monotonic() < deadline, f"left: {[(s, _command(s.pid)) for s in left]}"
            time.sleep(POLL_SECONDS)

    def processes(self) -> list[Seen]:
        """What lives of what it started: known, or of its temporary folder."""
        return [
            seen
            for seen in LinuxProcesses().snapshot().values()
            if not seen.dead
            and seen.pid != self.process.pid
            and (_same(self._known.get(seen.pid), seen) or self._marked(seen.pid))
        ]

    def sockets(self) -> list[str]:
        """Where something still listens on a socket that it had."""
        tables = [Path(f"/proc/net/{name}") for name in ("tcp", "tcp6")]
        lines = [entry for table in tables for entry in parse_table(table.read_text("ascii"))]
        return [
            str(entry.local)
            for entry in lines
            if entry.state == LISTENING and entry.inode in self._listened
        ]

    def folders(self) -> list[Path]:
        """What is left of its folders, on the disk and in memory."""
        return [*self.temporary.iterdir(), *(path for path in self._memory if path.exists())]

    def _marked(self, pid: int) -> bool:
        mark = str(self.temporary)
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return False
        return os.fsencode(mark) in environment or any(mark in cwd for cwd in _links(pid, "cwd"))


def _same(one: Seen | None, other: Seen) -> bool:
    return one is not None and one.start == other.start and not one.dead


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def _links(pid: int, pattern: str) -> list[str]:
    """Where the links that match point to, whether that is a path or not."""
    found: list[str] = []
    with contextlib.suppress(OSError):  # it has ended
        found.extend(str(path.readlink()) for path in Path(f"/proc/{pid}").glob(pattern))
    return found
