"""Classes of crash states: few, and as many for a thousand events as for twelve."""

from collections.abc import Callable

import pytest

from killpoint.faults.position import TopicPartition
from killpoint.faults.sweep import Extent, SweepMoment, moments
from tests.support.histories import Told, count_then_save, save_then_count


def classes(told: Told, events: int) -> list[str]:
    """The classes in the order in which they first came."""
    extent = Extent({TopicPartition("clicks", 0): events}, {TopicPartition("clicks", 0): 0})
    found: list[SweepMoment] = moments([told.entries, told.entries], extent=extent)
    return list(dict.fromkeys(moment.crash_class for moment in found))


def test_count_then_save() -> None:
    assert classes(count_then_save(), 12) == [
        "before anything: offsets level with the database",
        "after commit of totals: database ahead of the offsets by a batch",
        "after offset: offsets level with the database",
    ]


def test_save_then_count() -> None:
    assert classes(save_then_count(), 12) == [
        "before anything: offsets level with the database",
        "after offset: offsets ahead of the database by a batch",
        "after commit of totals: offsets level with the database",
    ]


@pytest.mark.parametrize("consumer", [count_then_save, save_then_count])
def test_more_events_make_no_more_classes(consumer: Callable[[int], Told]) -> None:
    assert classes(consumer(40), 120) == classes(consumer(4), 12)


def test_a_transaction_for_each_record_is_a_part_of_a_batch() -> None:
    told = Told()
    told.fetch(0, 12)
    for number in range(1, 13):
        told.work("totals")
        if number % 6 == 0:
            told.save(number)
    assert classes(told, 12)[1:] == [
        "after commit of totals: database ahead of the offsets by a part of a batch",
        "after commit of totals: database ahead of the offsets by a batch",
        "after offset: offsets level with the database",
    ]


def test_two_transactions_an_event_are_told_apart_by_their_tables() -> None:
    told = Told()
    told.fetch(0, 2)
    for number in (1, 2):
        told.work("claims")
        told.work("totals")
        told.save(number)
    words = classes(told, 2)
    assert any("after commit of claims" in word for word in words)
    assert any("after commit of totals" in word for word in words)


def test_offsets_in_the_database_are_no_offsets_in_kafka() -> None:
    told = Told()
    told.fetch(0, 6)
    told.work("totals", "consumer_offsets")
    told.work("totals", "consumer_offsets")
    assert classes(told, 6) == [
        "before anything: no offsets saved in Kafka",
        "after commit of consumer_offsets, totals: no offsets saved in Kafka",
    ]
