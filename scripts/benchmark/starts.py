"""How long the stack takes to start, and a user waits for a first verdict."""

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Final

from scripts.benchmark.figure import Better, Figure
from scripts.benchmark.kills import Silence

from killpoint.cli.init import write_project
from killpoint.cli.session.session import opened_stack

STARTS: Final = 3
STACK_AIM: Final = 2.0
VERDICT_AIM: Final = 6.0
MOMENT: Final = "postgres.commit#2:after"
KILLPOINT: Final = Path(sys.executable).with_name("killpoint")
LIMIT: Final = 300.0


async def stack_seconds() -> Figure:
    """Start and end the stack some times."""
    seconds: list[float] = []
    for _ in range(STARTS):
        async with opened_stack(1, Silence()) as stack:
            seconds.append(stack.seconds)
    return Figure(
        "stack_seconds",
        median(seconds),
        STACK_AIM,
        Better.LOWER,
        f"Kafka and Postgres together until both serve, caches warm; median of {STARTS} starts",
        values={"seconds": [round(one, 2) for one in seconds]},
    )


def first_verdict() -> Figure:
    """Run the command on a project fresh from `init`, until its last line; no stack runs."""
    seconds = [one_verdict("embedded") for _ in range(STARTS)]
    return Figure(
        "first_verdict_seconds",
        median(seconds),
        VERDICT_AIM,
        Better.LOWER,
        f"killpoint run --at '{MOMENT}' --action kill on a project of `init`, from the command to "
        f"its exit line, caches warm, no stack running; median of {STARTS}",
        values={"seconds": [round(one, 2) for one in seconds]},
    )


def one_verdict(kind: str) -> float:
    """The seconds of one such run, on a stack of this kind."""
    with tempfile.TemporaryDirectory() as folder:
        write_project(Path(folder))
        command = [str(KILLPOINT), "run", "--stack", kind, "--at", MOMENT, "--action", "kill"]
        began = monotonic()
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("exit "):
                    seconds = monotonic() - began
                    process.communicate(timeout=LIMIT)
                    return seconds
            _, errors = process.communicate(timeout=LIMIT)
    raise SystemExit(f"bench: killpoint run gave no verdict:\n{errors}")
