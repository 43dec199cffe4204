"""Mutated conversations through both wire machines, on all processors; and the worst legal ones.

No exception leaves a machine, no byte is changed, the events do not depend on how the bytes arrive,
and a process does not grow over the run. Counterparts: `fuzz_chunk` does the work, `worst` follows.
"""

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from scripts.soaking.fuzz_chunk import Chunk, Report, fuzz_chunk, limit_memory
from scripts.soaking.memory import MIB, mib
from scripts.soaking.soak import Session
from scripts.soaking.worst import worst

FRAMES: Final = 1_000_000
CHUNK: Final = 5_000
"""Mutated frames that a process does at a time: seconds of work."""
WARM: Final = 0.25
"""The share of the run after which caches are full; growth is measured from there."""
GROWTH: Final = 24 * MIB
PEAK: Final = 512 * MIB


@dataclass(slots=True)
class Sum:
    """All reports so far. `residents` are those of each process after its warm-up, in order."""

    fed: int = 0
    mutated: int = 0
    events: int = 0
    peak: int = 0
    residents: dict[int, list[int]] = field(default_factory=dict[int, list[int]])

    def add(self, report: Report, *, warm: bool) -> None:
        """Add a chunk's report."""
        self.fed += report.fed
        self.mutated += report.mutated
        self.events += report.events
        self.peak = max(self.peak, report.peak)
        if warm:
            self.residents.setdefault(report.process, []).append(report.resident)

    def grown(self) -> list[str]:
        """What is wrong with the memory of the processes."""
        wrong = [
            f"a process grew from {mib(seen[0])} to {mib(seen[-1])}"
            for seen in self.residents.values()
            if seen[-1] - seen[0] > GROWTH
        ]
        return [*wrong, *([f"a process held {mib(self.peak)}"] if self.peak > PEAK else [])]


async def fuzz(session: Session) -> None:
    """The mutated frames, then the worst legal conversations."""
    seed = session.drawn_seed()
    wanted = session.limits.frames or FRAMES
    print(f"  seed {seed}, {wanted} mutated frames", flush=True)
    total, began = Sum(), monotonic()
    for report in _reports(session, seed, wanted):
        total.add(report, warm=total.mutated >= WARM * wanted)
        session.saw(report.mutated, report.wrong)
    seconds = monotonic() - began
    memory = ", ".join(f"{mib(seen[0])} to {mib(seen[-1])}" for seen in total.residents.values())
    print(
        f"  {total.mutated} mutated of {total.fed} frames, {total.events} events,"
        f" {total.fed / seconds:.0f} frames ({total.mutated / seconds:.0f} mutated) a second;"
        f" resident after warm-up and at the end: {memory}; highest {mib(total.peak)}",
        flush=True,
    )
    session.saw(0, total.grown())
    worst(session)


def _reports(session: Session, seed: int, wanted: int) -> Iterator[Report]:
    """The reports of all chunks in their order; a process that dies ends the fuzz as a finding."""
    chunks = [Chunk(seed, number, CHUNK) for number in range(1, -(-wanted // CHUNK) + 1)]
    context = multiprocessing.get_context("spawn")
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers, context, initializer=limit_memory) as pool:
        done = 0
        try:
            for report in pool.map(fuzz_chunk, chunks):
                yield report
                done += 1
                if session.late():
                    pool.shutdown(cancel_futures=True)
                    return
        except BrokenProcessPool:
            near = f"chunks {done + 1} to {done + workers}"
            session.saw(0, [f"a process was ended by a frame, in one of {near} (seed {seed})"])
