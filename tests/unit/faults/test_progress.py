"""Progress: what counts as fetched, committed and work, and what only looks like it."""

import pytest

from killpoint.faults.events import (
    BackendReady,
    BackendStarted,
    BeginAsked,
    EndTxnAnswered,
    Event,
    FetchAsked,
    Joined,
    Left,
    OffsetCommitAnswered,
    OffsetSought,
    ProduceAnswered,
    RecordsFetched,
    Subscribed,
    TxnOffsetCommitAnswered,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.position import Position, Span, TopicPartition
from killpoint.faults.progress import Progress

PLACE = TopicPartition("clicks", 0)
KAFKA, POSTGRES = ("kafka", 1), ("postgres", 1)
WRITE = WriteAsked(1, 1, frozenset({"links"}))


def fetched(first: int, end: int) -> RecordsFetched:
    return RecordsFetched(1, (Span("clicks", 0, first, end),))


def committed(offset: int) -> OffsetCommitAnswered:
    return OffsetCommitAnswered(1, "g", (Position("clicks", 0, offset),))


def seen(*told: tuple[float, Event]) -> Progress:
    progress = Progress({PLACE: 0})
    progress.started(0.0)
    for now, event in told:
        progress.see(now, KAFKA, [event])
    return progress


@pytest.mark.parametrize(
    "event",
    [Joined("g", "m", None, "classic", 1), FetchAsked((Position("clicks", 0, 0),))],
)
def test_a_join_or_a_fetch_shows_that_it_came(event: Event) -> None:
    assert seen((1.0, event), (2.0, event)).life.joined == 1.0


def test_members_that_left_are_none() -> None:
    joined = Joined("g", "m", None, "classic", 1)
    assert list(seen((1.0, joined)).life.members) == [("g", "m")]
    assert seen((1.0, joined), (2.0, Left("g", "m"))).life.members == {}


def test_records_fetched_twice_are_counted_once() -> None:
    progress = seen((1.0, fetched(0, 6)), (2.0, fetched(3, 8)))
    assert progress.life.fetched_records == 8
    assert progress.life.fetched == {PLACE: 8}
    assert seen((1.0, fetched(0, 6)), (2.0, fetched(0, 3))).life.fetched == {PLACE: 6}


def test_what_it_writes_to_and_subscribes_to_is_read_on() -> None:
    produced = ProduceAnswered(1, None, (Span("retry", 1, 0, 2), Span("audit", 0, 0, 2)))
    progress = seen((1.0, produced))
    assert progress.read_back == frozenset()
    progress.see(2.0, KAFKA, [Subscribed("g", frozenset({"clicks", "retry"}))])
    assert progress.read_back == {TopicPartition("retry", 1)}


def test_only_records_of_sources_and_of_topics_with_saved_offsets_are_events() -> None:
    """A state of its own, such as that of Kafka Connect, is none; a retry topic is one."""
    progress = Progress(sources=frozenset({"clicks"}))
    state = RecordsFetched(1, (Span("configs", 0, 0, 4),))
    retry = RecordsFetched(1, (Span("retry", 0, 0, 2),))
    progress.see(1.0, KAFKA, [state])
    assert (progress.events_fetched, progress.life.fetched_records) == (0, 4)
    progress.see(20.0, KAFKA, [fetched(0, 6), retry])
    assert progress.events_fetched == 6
    assert progress.life.longest_gap == 0.0
    progress.see(21.0, KAFKA, [OffsetCommitAnswered(1, "g", (Position("retry", 0, 2),))])
    assert progress.events_fetched == 8


def test_without_sources_every_record_is_an_event() -> None:
    assert seen((1.0, fetched(0, 6))).events_fetched == 6


def test_the_first_position_asked_for_stays() -> None:
    asked = [FetchAsked((Position("clicks", 0, offset),)) for offset in (3, 6)]
    life = seen((1.0, asked[0]), (2.0, asked[1])).life
    assert (life.first_asked, life.asked) == ({PLACE: 3}, {PLACE: 6})


def test_the_end_is_sought_but_not_the_start() -> None:
    assert seen((1.0, OffsetSought("clicks", 0, -1))).life.sought_end
    assert not seen((1.0, OffsetSought("clicks", 0, -2))).life.sought_end


def test_an_offset_is_committed_when_the_broker_says_so() -> None:
    progress = seen((1.0, committed(3)))
    assert (progress.committed, progress.committed_at) == ({PLACE: 3}, {PLACE: 1.0})


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (EndTxnAnswered(2, "t", True), 6),
        (EndTxnAnswered(2, "t", False), 0),
        (EndTxnAnswered(2, "t", True, "INVALID_PRODUCER_EPOCH"), 0),
        (EndTxnAnswered(2, "another", True), 0),
    ],
)
def test_an_offset_in_a_transaction_counts_when_that_is_committed(
    end: EndTxnAnswered, expected: int
) -> None:
    pending = TxnOffsetCommitAnswered(1, "t", "g", (Position("clicks", 0, 6),))
    assert seen((1.0, pending)).committed == {PLACE: 0}
    assert seen((1.0, pending), (2.0, end)).committed == {PLACE: expected}


def test_a_pending_offset_dies_with_its_life() -> None:
    progress = seen((1.0, TxnOffsetCommitAnswered(1, "t", "g", (Position("clicks", 0, 6),))))
    progress.started(2.0)
    progress.see(3.0, KAFKA, [EndTxnAnswered(2, "t", True)])
    assert progress.committed == {PLACE: 0}


def test_a_restart_keeps_what_was_committed_and_written() -> None:
    produced = ProduceAnswered(1, None, (Span("totals", 0, 0, 2),))
    progress = seen((1.0, committed(3)), (1.0, fetched(0, 6)), (1.5, produced))
    assert progress.life.produced == {TopicPartition("totals", 0): 2}
    progress.started(2.0)
    assert (progress.committed, progress.topics_written) == ({PLACE: 3}, {"totals"})
    assert (progress.life.fetched, progress.life.produced) == ({}, {})
    assert progress.produced == {TopicPartition("totals", 0): 2}


def test_what_is_written_and_saved_is_read_back() -> None:
    retry, log = Span("retry", 0, 0, 2), Span("changelog", 0, 0, 2)
    saved = OffsetCommitAnswered(1, "g", (Position("retry", 0, 1), Position("clicks", 0, 3)))
    progress = seen(
        (1.0, ProduceAnswered(1, None, (retry, log))),
        (2.0, FetchAsked((Position("changelog", 0, 0),))),
        (3.0, saved),
    )
    assert progress.read_back == {retry.place}


def test_only_a_place_where_it_never_was_is_an_advance() -> None:
    progress = seen((1.0, fetched(0, 6)), (2.0, committed(3)))
    assert progress.advanced == 2.0
    progress.started(3.0)
    progress.see(4.0, KAFKA, [fetched(3, 6), committed(3)])
    assert progress.advanced == 2.0
    progress.see(5.0, KAFKA, [committed(6)])
    assert progress.advanced == 5.0


def test_a_transaction_is_open_from_its_write_to_its_end() -> None:
    progress = seen()
    progress.see(1.0, POSTGRES, [BackendStarted(7), BackendReady("T")])
    assert not progress.life.transaction_open
    progress.see(2.0, POSTGRES, [WRITE])
    assert progress.life.transaction_open
    progress.see(3.0, POSTGRES, [BackendReady("T")])
    assert progress.life.transaction_open
    progress.see(4.0, POSTGRES, [BackendReady("I")])
    assert not progress.life.transaction_open


def test_the_transaction_of_a_lost_connection_is_over() -> None:
    progress = seen()
    progress.see(1.0, POSTGRES, [WRITE])
    progress.lost(("postgres", 2))
    assert progress.life.transaction_open
    progress.lost(POSTGRES)
    assert not progress.life.transaction_open


def test_writes_are_counted_when_they_are_done() -> None:
    progress = seen()
    progress.see(1.0, POSTGRES, [WRITE])
    assert progress.life.writes == 0
    progress.see(2.0, POSTGRES, [WriteAnswered(1, 1, 1)])
    assert (progress.life.writes, progress.life.last_write) == (1, 2.0)


def test_the_same_offset_again_is_no_sign_of_work() -> None:
    progress = seen((1.0, fetched(0, 6)), (2.0, committed(3)), (9.0, committed(3)))
    assert progress.life.last_sign == 2.0


def test_a_transaction_that_changes_nothing_is_a_sign_only_while_it_is_open() -> None:
    progress = seen((1.0, fetched(0, 6)))
    progress.see(5.0, POSTGRES, [BeginAsked(1, 1)])
    assert progress.life.last_sign == 5.0
    progress.see(6.0, POSTGRES, [BackendReady("I")])
    assert progress.life.last_sign == 1.0


def test_the_longest_gap_is_between_two_signs_of_work_after_the_first_record() -> None:
    progress = seen((5.0, fetched(0, 6)))
    progress.see(5.5, POSTGRES, [WRITE])
    progress.see(5.7, POSTGRES, [WriteAnswered(1, 1, 1)])
    progress.see(9.0, KAFKA, [committed(6)])
    assert progress.life.longest_gap == pytest.approx(0.5)


def test_a_lease_that_is_renewed_for_ever_is_no_work() -> None:
    progress = Progress(ignore_tables=frozenset({"shedlock"}))
    progress.started(0.0)
    for number in range(1, 4):
        lease = WriteAsked(number, number, frozenset({"shedlock"}))
        progress.see(float(number), ("postgres", 1), [lease, WriteAnswered(number, number, 1)])
    assert (progress.life.writes, progress.life.last_proven) == (0, None)
    progress.see(9.0, ("postgres", 1), [WriteAsked(9, 9, frozenset({"clicks", "shedlock"}))])
    assert progress.life.last_proven == 9.0


OTHER = TopicPartition("clicks", 1)


def asking(partition: int, offset: int) -> FetchAsked:
    return FetchAsked((Position("clicks", partition, offset),))


def two_at_work(instance: str | None = None) -> Progress:
    """Replica 1 has the first partition, replica 2 the second; each has written a row."""
    progress = Progress()
    progress.started(0.0)
    for replica in (1, 2):
        at, partition = ("kafka", replica), replica - 1
        member = Joined("g", f"m{replica}", instance, "classic", 1)
        records = RecordsFetched(1, (Span("clicks", partition, 0, 4),))
        for event in (member, asking(partition, 0), records, asking(partition, 4)):
            progress.see(1.0, at, [event], replica)
        progress.see(1.0, ("postgres", replica), [WRITE, WriteAnswered(1, 1, 1)], replica)
    return progress


def test_what_the_others_are_at_goes_on() -> None:
    progress = two_at_work()
    progress.went_on(2.0, without=1)
    life = progress.life
    assert (life.asked, life.fetched) == ({OTHER: 4}, {OTHER: 4})
    assert (life.present, list(life.members_of(2))) == ({2}, [("g", "m2")])
    assert (life.fetched_records, life.writes) == (4, 1)
    assert life.orphans == {PLACE}


def test_partitions_are_taken_over_by_whoever_asks_for_them() -> None:
    progress = two_at_work()
    progress.went_on(2.0, without=1)
    progress.see(3.0, ("kafka", 2), [asking(0, 0)], 2)
    assert progress.life.orphans == set()
    assert progress.life.joined is None  # the one that is gone has not come back
    progress.see(4.0, ("kafka", 3), [Joined("g", "m3", None, "classic", 3)], 1)
    assert progress.life.joined == 4.0
    assert progress.life.present == {1, 2}


def test_a_second_death_leaves_what_the_first_left_to_be_taken_over() -> None:
    progress = two_at_work()
    progress.went_on(2.0, without=1)
    progress.went_on(3.0, without=2)
    assert progress.life.orphans == {PLACE, OTHER}


def test_the_place_of_a_static_member_is_kept_for_it() -> None:
    progress = two_at_work(instance="counter")
    progress.went_on(2.0, without=1)
    assert progress.life.orphans == set()


def test_what_is_fetched_again_after_a_rebalance_is_work_again() -> None:
    progress = two_at_work()
    progress.see(2.0, ("kafka", 2), [asking(1, 1)], 2)
    again = RecordsFetched(2, (Span("clicks", 1, 1, 4),))
    progress.see(2.0, ("kafka", 2), [again], 2)
    assert progress.life.fetched_records == 4 + 4 + 3
