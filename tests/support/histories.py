"""Histories of consumers, written down as the events of their frames."""

from collections.abc import Iterable

from killpoint.faults.events import (
    BeginAnswered,
    BeginAsked,
    CommitAnswered,
    CommitAsked,
    Event,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    RecordsFetched,
    RollbackAnswered,
    RollbackAsked,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.gate import Gate, GateRules
from killpoint.faults.history import Entry
from killpoint.faults.moment import Moment
from killpoint.faults.naming import names
from killpoint.faults.position import Position, Span

KAFKA, POSTGRES = "kafka", "postgres"


class Told:
    """A history that grows frame by frame; the gate gives the sightings, as in a run."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.life = 1
        self._gate = Gate((), GateRules())
        self._exchange = 0
        self._transaction = 0

    def frame(self, edge: str, *events: Event, connection: int = 1) -> None:
        seen = self._gate.see(edge, connection, events)
        self.entries.append(Entry(0.0, self.life, edge, connection, events, seen.sightings))

    def restart(self) -> None:
        self.life += 1
        self._gate.restarted()

    def fetch(self, first: int, end: int, topic: str = "clicks") -> None:
        self.frame(KAFKA, RecordsFetched(self._number(), (Span(topic, 0, first, end),)))

    def begin(self, connection: int = 1) -> int:
        exchange, self._transaction = self._number(), self._transaction + 1
        self.frame(POSTGRES, BeginAsked(exchange, self._transaction), connection=connection)
        self.frame(POSTGRES, BeginAnswered(exchange, self._transaction), connection=connection)
        return self._transaction

    def write(self, transaction: int, *tables: str, connection: int = 1) -> None:
        exchange, names = self._number(), frozenset(tables)
        asked = WriteAsked(exchange, transaction, names)
        self.frame(POSTGRES, asked, connection=connection)
        self.frame(POSTGRES, WriteAnswered(exchange, transaction, 1), connection=connection)

    def commit(self, transaction: int, connection: int = 1) -> None:
        exchange = self._number()
        asked = CommitAsked(exchange, transaction, auto=False)
        self.frame(POSTGRES, asked, connection=connection)
        done = CommitAnswered(exchange, transaction, auto=False)
        self.frame(POSTGRES, done, connection=connection)

    def rollback(self, transaction: int) -> None:
        exchange = self._number()
        self.frame(POSTGRES, RollbackAsked(exchange, transaction))
        self.frame(POSTGRES, RollbackAnswered(exchange, transaction))

    def work(self, *writes: str, commit: bool = True) -> None:
        """One transaction on one connection."""
        transaction = self.begin()
        for table in writes:
            self.write(transaction, table)
        if commit:
            self.commit(transaction)

    def save(self, *offsets: int, taken: bool = True, topic: str = "clicks") -> None:
        exchange = self._number()
        positions = tuple(Position(topic, 0, offset) for offset in offsets)
        self.frame(KAFKA, OffsetCommitAsked(exchange, "g", positions))
        done = positions if taken else ()
        self.frame(KAFKA, OffsetCommitAnswered(exchange, "g", done, () if taken else ("error",)))

    def _number(self) -> int:
        self._exchange += 1
        return self._exchange


def count_then_save(batches: int = 4, size: int = 3) -> Told:
    """One transaction a batch, then its offset."""
    told = Told()
    told.fetch(0, batches * size)
    for number in range(1, batches + 1):
        told.work(*["totals"] * size)
        told.save(number * size)
    return told


def save_then_count(batches: int = 4, size: int = 3) -> Told:
    """The same steps in the other order."""
    told = Told()
    told.fetch(0, batches * size)
    for number in range(1, batches + 1):
        told.save(number * size)
        told.work(*["totals"] * size)
    return told


def named_entries(told: Told) -> Iterable[tuple[Moment, Entry]]:
    """The frames of the first life that have a name; each has one sighting here."""
    framed = [entry for entry in told.entries if entry.sightings and entry.life == 1]
    return zip(names(s for entry in framed for s in entry.sightings), framed, strict=True)
