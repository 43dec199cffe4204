"""Crash states: what a kill leaves behind, as data that can be compared. Pure.

Counterpart: `durability` reads them from a history, the sweep groups moments by them. Moments with
equal crash states are equal for a kill of the whole target, provided nothing unseen differs.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from killpoint.faults.history import Files
from killpoint.faults.position import Position, TopicPartition


@dataclass(frozen=True, slots=True, order=True)
class Numbers:
    """A set of numbers from 1 that mostly come in order: all up to `upto`, and some `beyond`."""

    upto: int = 0
    beyond: tuple[int, ...] = ()

    def __len__(self) -> int:
        return self.upto + len(self.beyond)

    def __str__(self) -> str:
        first = [f"1–{self.upto}"] if self.upto > 1 else ["1"] * self.upto
        return ", ".join([*first, *map(str, self.beyond)])

    def with_one(self, number: int) -> "Numbers":
        """The set with one more."""
        rest = sorted({*self.beyond, number})
        upto = self.upto
        while rest and rest[0] <= upto + 1:
            upto = max(upto, rest.pop(0))
        return Numbers(upto, tuple(rest))


NO_NUMBERS: Final = Numbers()


@dataclass(frozen=True, slots=True, order=True)
class OpenTransaction:
    """A Kafka transaction that was neither committed nor aborted.

    `offsets` are those that it would save, `records` those that it has produced, by partition.
    """

    id: str
    offsets: tuple[Position, ...] = ()
    records: tuple[tuple[TopicPartition, int], ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class CrashState:
    """What the restart and the audit can read of what the target has done.

    `saved`: offsets of the group; `transactions`: those of the database that committed, numbered
    in the order of their first writes; `sequence`: how often a statement went to a table that
    numbers its rows, as a sequence survives a rollback; `files`: what the files that the target
    changes held; `log`: records produced, by partition,
    and `visible` those of them that no open or aborted transaction holds; `open`: Kafka
    transactions under way; `epochs`: how often a transactional producer was started.
    """

    saved: tuple[Position, ...] = ()
    transactions: Numbers = NO_NUMBERS
    sequence: int = 0
    log: tuple[tuple[TopicPartition, int], ...] = ()
    visible: tuple[tuple[TopicPartition, int], ...] = ()
    open: tuple[OpenTransaction, ...] = ()
    epochs: tuple[tuple[str, int], ...] = ()
    files: Files = ()

    def __str__(self) -> str:
        parts = [
            _listed("offsets", (f"{p.place}:{p.offset}" for p in self.saved)),
            f"transactions {self.transactions}" if self.transactions else "",
            f"sequence {self.sequence}" if self.sequence else "",
            _listed("produced", (f"{place}:{count}" for place, count in self.log)),
            f"{self.hidden} of them not visible" if self.hidden else "",
            _listed("open in Kafka", (str(one.id) for one in self.open)),
            _listed("producer starts", (f"{id}:{n}" for id, n in self.epochs)),
            _listed("files", (f"{path} {digest}" for path, digest in self.files)),
        ]
        return "; ".join(part for part in parts if part) or "nothing"

    @property
    def hidden(self) -> int:
        """Records that an open or aborted transaction holds."""
        return sum(count for _, count in self.log) - sum(count for _, count in self.visible)

    def saving(self, positions: Iterable[Position]) -> "CrashState":
        """The state after offsets were saved."""
        saved = {p.place: p for p in self.saved} | {p.place: p for p in positions}
        return replace(self, saved=tuple(sorted(saved.values())))


NOTHING: Final = CrashState()
"""What there is before the target has done anything."""


def _listed(what: str, items: Iterable[str]) -> str:
    words = ", ".join(items)
    return f"{what} {words}" if words else ""
