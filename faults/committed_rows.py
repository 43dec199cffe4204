"""The records that lives of the target fetched, and the rows that it committed for them.

Pure: read off the history. Counterpart: the session compares a restart with the clean runs, to tell
whether the restart wrote less than the events that it fetched need.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from killpoint.faults.events import CommitAnswered, RecordsFetched, WriteAnswered, WriteAsked
from killpoint.faults.history import Entry
from killpoint.faults.position import TopicPartition


@dataclass(frozen=True, slots=True)
class Harvest:
    """`records`: each once, however many lives fetched it.

    `rows`: None where a committed write did not tell how many.
    """

    records: int
    rows: int | None


def harvest(entries: Iterable[Entry], ignore_tables: frozenset[str] = frozenset()) -> Harvest:
    """What these entries of a history show, rolled back writes and ignored tables left out."""
    return _Reading(ignore_tables).read(entries)


class _Reading:
    def __init__(self, ignore_tables: frozenset[str]) -> None:
        self._ignore_tables = ignore_tables
        self._ignored: set[tuple[int, str, int, int]] = set()
        self._pending: dict[tuple[int, str, int, int], list[int | None]] = {}
        self._ends: dict[TopicPartition, int] = {}
        self._sum: Counter[str] = Counter()
        self._told = True

    def read(self, entries: Iterable[Entry]) -> Harvest:
        for entry in entries:
            for event in entry.events:
                connection = (entry.life, entry.edge, entry.connection)
                match event:
                    case RecordsFetched():
                        self._fetched(event)
                    case WriteAsked() if event.tables and event.tables <= self._ignore_tables:
                        self._ignored.add((*connection, event.exchange))
                    case WriteAnswered() if (*connection, event.exchange) not in self._ignored:
                        transaction = (*connection, event.transaction)
                        self._pending.setdefault(transaction, []).append(event.rows)
                    case CommitAnswered():
                        self._committed(self._pending.pop((*connection, event.transaction), []))
                    case _:
                        pass
        return Harvest(self._sum["records"], self._sum["rows"] if self._told else None)

    def _fetched(self, event: RecordsFetched) -> None:
        for span in event.spans:
            before = self._ends.get(span.place, span.first)
            self._sum["records"] += max(0, span.next - max(span.first, before))
            self._ends[span.place] = max(before, span.next)

    def _committed(self, rows: list[int | None]) -> None:
        for number in rows:
            if number is None:
                self._told = False
            else:
                self._sum["rows"] += number
