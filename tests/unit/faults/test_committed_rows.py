"""Rows that lives committed for the records they fetched."""

from collections.abc import Sequence

from killpoint.faults.committed_rows import Harvest, harvest
from killpoint.faults.events import (
    CommitAnswered,
    Event,
    RecordsFetched,
    RollbackAnswered,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.history import Entry
from killpoint.faults.position import Span


def fetched(first: int, following: int, life: int = 1) -> Entry:
    events = (RecordsFetched(1, (Span("clicks", 0, first, following),)),)
    return Entry(0.1, life, "kafka", 1, events)


def entry(events: Sequence[Event], life: int = 1, connection: int = 1) -> Entry:
    return Entry(0.1, life, "postgres", connection, tuple(events))


def written(
    transaction: int, rows: int | None, end: type[CommitAnswered] | None = CommitAnswered
) -> list[Event]:
    write = WriteAnswered(transaction, transaction, rows)
    if end is None:
        return [write, RollbackAnswered(9, transaction)]
    return [write, end(9, transaction, False)]


def test_rows_count_once_their_transaction_has_committed() -> None:
    kept = [fetched(0, 3), entry(written(1, 2)), entry(written(2, 5, None))]
    assert harvest(kept) == Harvest(3, 2)
    assert harvest([entry([WriteAnswered(1, 1, 4)])]) == Harvest(0, 0)


def test_connections_and_lives_have_transactions_of_their_own() -> None:
    one, *commit = written(1, 2)
    kept = [entry([one]), entry(commit, connection=2), entry(commit, life=2)]
    assert harvest(kept) == Harvest(0, 0)


def test_a_record_counts_once() -> None:
    assert harvest([fetched(0, 3), fetched(2, 5), fetched(0, 5)]).records == 5
    assert harvest([fetched(0, 3), fetched(0, 4, life=2)]).records == 4


def test_a_write_without_a_count_leaves_the_sum_open() -> None:
    assert harvest([entry(written(1, None))]).rows is None


def test_ignored_tables_do_not_count() -> None:
    asked = WriteAsked(1, 1, frozenset({"lease"}))
    kept = [entry([asked, *written(1, 1)]), entry(written(2, 3))]
    assert harvest(kept, frozenset({"lease"})) == Harvest(0, 3)
    assert harvest(kept) == Harvest(0, 4)
