"""The worst that peers may legally send, once: the right events, bounded memory, linear time.

Each case is fed at one size and at four times that size. Counterparts: `worst_kafka` and
`worst_postgres` make the cases; `fuzz` runs this after its mutated frames.
"""

import tracemalloc
from collections.abc import Iterator
from time import process_time
from typing import Final

from scripts.soaking.memory import mib, peak, reset_peak, resident
from scripts.soaking.soak import Session
from scripts.soaking.worst_case import Case
from scripts.soaking.worst_kafka import KAFKA
from scripts.soaking.worst_postgres import POSTGRES

from killpoint.faults.events import Event
from killpoint.faults.wire.piece import Machine, Piece

FACTOR: Final = 4
REPEATS: Final = 3
LINEAR: Final = 2.0
"""The most that an item may cost at the larger size, in times of the smaller one."""
STEP: Final = 64 * 1024
"""Bytes that the proxy reads at once."""


def worst(session: Session) -> None:
    """Feed each case, print its figures, tell what was wrong."""
    for case in (*KAFKA, *POSTGRES):
        if session.late():
            return
        session.saw(0, [f"{case.name}: {line}" for line in _tried(case)])


def _tried(case: Case) -> list[str]:
    small, large = case.size // FACTOR, case.size
    less, more = _seconds(case, small), _seconds(case, large)
    ratio = more / less / FACTOR
    grown, wrong = _fed(case, large)
    print(
        f"  {case.name}, {large} {case.items}: {more * 1000:.1f} ms, an item costs {ratio:.2f}"
        f" times that at {small}; {mib(grown)} of memory",
        flush=True,
    )
    if ratio > LINEAR:
        wrong.append(f"time is not linear: {less:.4f} s for {small}, {more:.4f} s for {large}")
    if grown > case.memory:
        wrong.append(f"{mib(grown)} were held, at most {mib(case.memory)} are right")
    return wrong


def _seconds(case: Case, size: int) -> float:
    """The least of some measurements: processor time of this process, whatever else runs."""
    found: list[float] = []
    for _ in range(REPEATS):
        spoken, machine = case.speak(size), case.machine()
        parts = [(from_client, part) for from_client, data in spoken.said for part in _cut(data)]
        began = process_time()
        for from_client, part in parts:
            _send(machine, from_client, part)
        found.append(process_time() - began)
    return min(found)


def _fed(case: Case, size: int) -> tuple[int, list[str]]:
    """The bytes that a machine held at most, and what was wrong with what it said.

    Python's own memory is traced, as it may lie where memory was freed before; what libraries in
    other languages hold shows in the resident set only.
    """
    spoken, machine = case.speak(size), case.machine()
    events: list[Event] = []
    wrong: list[str] = []
    before = resident()
    reset_peak()
    tracemalloc.start()
    for from_client, data in spoken.said:
        passed = _passed(machine, from_client, data, events)
        if not passed:
            wrong.append("bytes were changed or kept")
    _, traced = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    grown = max(peak() - before, traced)
    found = case.told(events)
    if found != spoken.told:
        wrong.append(f"it said {str(found)[:200]}, right is {str(spoken.told)[:200]}")
    return grown, wrong


def _passed(machine: Machine, from_client: bool, data: bytes, events: list[Event]) -> bool:
    """Whether exactly these bytes came out, compared as they come."""
    at, same = 0, True
    for part in _cut(data):
        for piece in _send(machine, from_client, part):
            same = same and data[at : at + len(piece.data)] == piece.data
            at += len(piece.data)
            events += piece.events
    return same and at == len(data)


def _send(machine: Machine, from_client: bool, part: bytes) -> list[Piece]:
    return machine.to_server(part) if from_client else machine.to_client(part)


def _cut(data: bytes) -> Iterator[bytes]:
    return (data[at : at + STEP] for at in range(0, len(data), STEP))
