"""`killpoint run`, killed with SIGKILL at random times of its run, again and again.

Afterwards no process of it is left, and the next start (an audit) works and clears its folders.
Counterpart: `tests/system/test_interrupts.py` does it at five moments that are named.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from scripts.soaking.soak import Session

from killpoint.cli.init import write_project
from tests.support.running import MAIN, Running

TIMES: Final = 50
RUN: Final = ("run", "--limit", "4")
"""Long enough for each part of a run to have its share of the time."""


async def sigkill(session: Session) -> None:
    """A whole run for its length, then as many kills as are wanted."""
    await asyncio.to_thread(_sigkill, session)


def _sigkill(session: Session) -> None:
    seed = session.drawn_seed()
    wanted, random = session.limits.kills or TIMES, Random(seed)
    length = _length()
    print(f"  seed {seed}, {wanted} times; a whole run takes {length:.1f} s", flush=True)
    while session.kills < wanted and not session.late():
        with _places() as (project, temporary):
            _one(session, project, temporary, random.uniform(0, length))


@contextmanager
def _places() -> Generator[tuple[Path, Path]]:
    """A project, and a folder for all temporary files of killpoint, both of their own."""
    with TemporaryDirectory() as project, TemporaryDirectory(prefix="kp-", dir="/tmp") as temporary:
        Path(temporary).chmod(0o711)  # Postgres runs as another user where killpoint is root
        write_project(Path(project))
        yield Path(project), Path(temporary)


def _length() -> float:
    with _places() as (project, temporary), Running(project, temporary, *RUN) as run:
        began = monotonic()
        run.ended()
        return monotonic() - began


def _one(session: Session, project: Path, temporary: Path, seconds: float) -> None:
    """Kill a run at that time; one that has ended by itself before does not count."""
    began = monotonic()
    with Running(project, temporary, *RUN) as run:
        run.until(lambda run: run.process.poll() is not None or monotonic() - began >= seconds)
        run.process.kill()
        if run.ended() != -signal.SIGKILL:
            return
        killed, folders, at = monotonic(), run.folders(), _place(project)
        wrong = _left(run)
        alone = monotonic() - killed
        wrong += _started_again(run)
    names = ", ".join(sorted(path.name for path in folders)) or "no folder"
    print(f"  after {seconds:.2f} s ({at}), {names}: alone after {alone:.2f} s", flush=True)
    session.saw(1, [f"killed after {seconds:.3f} s ({at}): {line}" for line in wrong])


def _place(project: Path) -> str:
    """How far it had come: the last scenario that has evidence."""
    begun = list(project.glob(".killpoint/runs/*/*/target.log"))
    last = max(begun, key=lambda path: path.stat().st_ctime_ns, default=None)
    return "before the first run" if last is None else last.parent.name


def _left(run: Running) -> list[str]:
    """The processes and sockets that do not go."""
    try:
        run.wait_alone()
    except AssertionError as left:
        return [str(left)]
    return [f"{socket} still listens" for socket in run.sockets()]


def _started_again(run: Running) -> list[str]:
    """What is wrong with the next start and what it leaves."""
    command = [sys.executable, "-c", MAIN, "audit"]
    environment = {**os.environ, "TMPDIR": str(run.temporary)}
    done = subprocess.run(
        command, cwd=run.project, env=environment, capture_output=True, text=True, check=False
    )
    wrong = (
        [f"the next start ended with {done.returncode}: {done.stderr}"] if done.returncode else []
    )
    # A folder that was not finished has a hidden name, and goes when it is a minute old.
    left = [path for path in run.folders() if not path.name.startswith(".")]
    return [*wrong, *(f"the next start left {path}" for path in left)]
