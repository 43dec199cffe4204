"""The command line of `scripts/bench`: measure everything, print it, write it."""

import argparse
import asyncio
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scripts.benchmark.audit import audit
from scripts.benchmark.consume import consume
from scripts.benchmark.figure import Figure, as_json, write
from scripts.benchmark.growth import growth
from scripts.benchmark.in_docker import in_docker
from scripts.benchmark.kills import LANES, Silence, kills
from scripts.benchmark.random_kills import random_kill_ratio
from scripts.benchmark.round_trips import round_trips
from scripts.benchmark.starts import first_verdict, stack_seconds

from killpoint.cli.session.session import opened_stack

ALL: Final = ("kills", "consume", "postgres", "stack", "verdict", "docker")

LONG: Final = ("growth", "random", "audit")
"""Many minutes, so only with --long or by name."""


def main() -> int:
    """Measure; returns 0 whatever the figures are, since they depend on the machine."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    parser.add_argument("--only", choices=ALL + LONG, action="append", help="repeats; default: all")
    parser.add_argument("--kills", type=int, metavar="N", help="only the first N moments")
    parser.add_argument("--long", action="store_true", help="also what takes many minutes")
    given = parser.parse_args()
    machine = _machine()
    print(" · ".join(f"{name} {value}" for name, value in machine.items()), flush=True)
    figures: list[Figure] = []
    wanted = given.only or (ALL + LONG if given.long else ALL)
    for figure in _measured(tuple(wanted), given.kills):
        print(figure, flush=True)
        figures.append(figure)
    if given.json is not None:
        write(given.json, as_json(figures, machine))
    return 0


def _measured(wanted: tuple[str, ...], limit: int | None) -> Iterator[Figure]:
    yield from asyncio.run(_on_one_stack(wanted, limit))
    if "stack" in wanted:
        yield asyncio.run(stack_seconds())
    if "verdict" in wanted:
        yield first_verdict()
    if {"growth", "random"} & set(wanted):
        yield from asyncio.run(_at_length(wanted))
    if "audit" in wanted:
        yield from asyncio.run(audit())
    if "docker" in wanted:
        yield from asyncio.run(in_docker(limit))


async def _on_one_stack(wanted: tuple[str, ...], limit: int | None) -> list[Figure]:
    if not {"kills", "consume", "postgres"} & set(wanted):
        return []
    figures: list[Figure] = []
    async with opened_stack(LANES, Silence()) as stack:
        if "kills" in wanted:
            figures += await kills(stack, limit)
        if "consume" in wanted:
            figures.append(await consume(stack))
        if "postgres" in wanted:
            figures.append(await round_trips(stack))
    return figures


async def _at_length(wanted: tuple[str, ...]) -> list[Figure]:
    figures: list[Figure] = []
    async with opened_stack(1, Silence()) as stack:
        if "growth" in wanted:
            figures += await growth(stack)
        if "random" in wanted:
            figures.append(await random_kill_ratio(stack))
    return figures


def _machine() -> dict[str, object]:
    load = round(os.getloadavg()[0], 2)
    return {
        "processors": os.cpu_count() or 1,
        "load before": load,
        "python": platform.python_version(),
    }
