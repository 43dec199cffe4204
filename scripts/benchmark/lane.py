"""A lane that is open for anybody: its proxies watch and forward, and no moment is looked for."""

import asyncio
import sys
from collections.abc import Generator
from contextlib import contextmanager

from killpoint.cli.session.stack import Lane
from killpoint.faults.gate import Gate
from killpoint.faults.watch import Watch


@contextmanager
def open_lane(lane: Lane) -> Generator[None]:
    """The lane's proxies as in a clean run, until the end of the block."""
    watch = Watch(Gate(), _ready)
    watch.started()
    for proxy in (lane.kafka, lane.postgres):
        proxy.watch = watch
    try:
        yield
    finally:
        for proxy in (lane.kafka, lane.postgres):
            proxy.watch = None


async def _ready(group: str) -> None:
    """Groups begin where they are."""


async def client(module: str, *arguments: str) -> str:
    """Run a client in a process of its own, as a target is; returns what it printed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", f"scripts.benchmark.{module}", *arguments),
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    if process.returncode:
        raise SystemExit(f"bench: the client {module} failed (exit {process.returncode})")
    return output.decode()
