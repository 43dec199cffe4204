"""Very many kills of mixed consumers on one stack, every second one under load; memory stays flat.

Each outcome is held against the right one of its moment: the exact table for its three consumers,
the planted verdict for the others. Counterparts: `planted` and `table` try every moment of each.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

from scripts.soaking.evidence import kept_evidence
from scripts.soaking.load import Load, ready_load
from scripts.soaking.memory import MIB, mib, resident
from scripts.soaking.soak import Session

from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from tests.support.exact_table import CONSUMERS, ExactTable, Silence
from tests.support.innocents import INNOCENTS
from tests.support.matrix import matrix
from tests.support.planted import Planted
from tests.support.planted_bugs import BUGS
from tests.support.planted_runs import Examined, Examiner, wrong_hits

KILLS: Final = 300
WARM: Final = 0.2
"""The share of the kills after which killpoint's memory is measured for the first time."""
GROWTH: Final = 24 * MIB

Turn = Callable[[], Awaitable[None]]


async def kills(session: Session) -> None:
    """Turns of all consumers in a random order, again and again, until there were enough kills."""
    seed = session.drawn_seed()
    wanted = session.limits.kills or KILLS
    print(f"  seed {seed}, {wanted} kills", flush=True)
    with kept_evidence(session, "kills") as folder, ready_load() as load:
        async with opened_stack(1, Silence()) as stack:
            mixed = Mixed(session, stack, load, folder, wanted)
            memory = await _until_enough(mixed, Random(seed))
    print(f"  resident after warm-up and then: {', '.join(map(mib, memory))}", flush=True)
    if memory and memory[-1] - memory[0] > GROWTH:
        session.saw(0, [f"killpoint grew from {mib(memory[0])} to {mib(memory[-1])}"])


async def _until_enough(mixed: "Mixed", random: Random) -> list[int]:
    """Returns the resident set after the warm-up and after each later turn."""
    memory: list[int] = []
    while True:
        turns = mixed.turns()
        random.shuffle(turns)
        for turn in turns:
            if mixed.left <= 0 or mixed.session.late():
                return memory
            try:
                await turn()
            except Exception as error:
                mixed.session.saw(0, [f"a turn did not come to its end: {error!r}"])
                return memory
            if mixed.made >= WARM * mixed.wanted:
                memory.append(resident())


@dataclass(slots=True)
class Mixed:
    """The consumers on one stack. `amounts`: lost and counted twice at each hit, when last seen."""

    session: Session
    stack: Stack
    load: Load
    folder: Path
    wanted: int
    table: ExactTable = field(init=False)
    examiner: Examiner = field(init=False)
    made: int = 0
    amounts: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        self.table = ExactTable(self.stack, self.folder)
        self.examiner = Examiner(self.stack, self.folder)

    @property
    def left(self) -> int:
        """How many kills are still to be made."""
        return self.wanted - self.made

    def turns(self) -> list[Turn]:
        """One turn for each consumer."""
        planted = [self._planted(one) for one in (*INNOCENTS, *BUGS, *matrix())]
        return [*(self._exact(consumer) for consumer in CONSUMERS), *planted]

    def _exact(self, consumer: str) -> Turn:
        async def turn() -> None:
            self._before()
            consumed = await self.table.consume(
                self.stack.lanes[0], consumer, limit=self.left, after_each=self._after
            )
            self._tell(f"{consumer}, exact table", len(consumed.shown), consumed.wrong)

        return turn

    def _planted(self, planted: Planted) -> Turn:
        async def turn() -> None:
            cut = replace(planted, hits=planted.hits[: self.left])
            self._before()
            examined = await self.examiner.examine(cut, after_each=self._after)
            self._compare_amounts(examined)
            self._tell(planted.name, len(examined.result.scenarios), _wrong(planted, examined))

        return turn

    def _before(self) -> None:
        self.load.switch(on=self.made % 2 == 1)

    def _compare_amounts(self, examined: Examined) -> None:
        """Say where a bug costs now this, now that: no wrong verdict, but worth a line."""
        for hit, found in zip(examined.planted.hits, examined.result.scenarios, strict=False):
            name = f"{examined.planted.name}, {hit.action} at {hit.at}"
            amounts = ", ".join(f"{c.lost} lost, {c.counted_twice} twice" for c in found.checks)
            before = self.amounts.setdefault(name, amounts)
            if amounts != before:
                print(f"  {name}: {amounts}, before that {before}", flush=True)
                self.amounts[name] = amounts

    async def _after(self, _: object) -> None:
        self.made += 1
        self._before()

    def _tell(self, name: str, count: int, wrong: list[str]) -> None:
        print(f"  {name}: {count} kills, {mib(resident())} resident", flush=True)
        self.session.saw(count, wrong)


def _wrong(planted: Planted, examined: Examined) -> list[str]:
    """What is wrong; the verdict is compared where all of the hits were made."""
    made = len(examined.result.scenarios)
    if made != len(examined.planted.hits):
        return [str(examined)]
    wrong = [f"{line}, evidence: {examined.evidence}" for line in wrong_hits(examined)]
    if made == len(planted.hits) and examined.verdict.guarantee is not planted.guarantee:
        wrong.append(str(examined))
    return wrong
