"""Offsets that a timer saves, read off histories, and one that passes the work."""

import pytest

from killpoint.faults.events import (
    CommitAnswered,
    Event,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    RecordsFetched,
)
from killpoint.faults.history import Entry
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.overtaking import (
    Saving,
    by_timer,
    held_for_overtaking,
    overtaken,
    saving_of,
)
from killpoint.faults.position import Position, Span, TopicPartition
from killpoint.faults.sweep import SweepMoment

PLACE = TopicPartition("clicks", 0)
FETCHED = RecordsFetched(1, (Span("clicks", 0, 0, 6),))
COMMITTED = CommitAnswered(1, 1, auto=False)
TIMED = SweepMoment(parse_moment('kafka.offset_commit{topic="clicks",partition=0}#1:after'), False)


def asked(offset: int, exchange: int = 7) -> OffsetCommitAsked:
    return OffsetCommitAsked(exchange, "counter", (Position("clicks", 0, offset),))


def saved(offset: int, exchange: int = 7) -> OffsetCommitAnswered:
    return OffsetCommitAnswered(exchange, "counter", (Position("clicks", 0, offset),))


def seen(*told: tuple[float, Event], replica: int = 0) -> list[Entry]:
    return [Entry(at, 1, "kafka", 1, (event,), replica=replica) for at, event in told]


def test_an_offset_after_its_work_comes_from_no_timer() -> None:
    first, second = ((1.5, COMMITTED), (1.52, asked(3))), ((2.5, COMMITTED), (2.54, asked(6)))
    saving = saving_of(seen((1.0, FETCHED), *first, *second))
    assert not saving.idle
    assert saving.seconds == pytest.approx(1.02)


def test_an_offset_out_of_idleness_comes_from_a_timer() -> None:
    run = seen((0.5, asked(0)), (1.0, FETCHED), (1.5, COMMITTED), (5.5, asked(6)), (9.9, asked(6)))
    assert saving_of(run) == Saving(4.5, idle=True)


def test_who_saves_nothing_has_no_timer() -> None:
    assert saving_of(seen((1.0, FETCHED), (1.5, COMMITTED))) == Saving()


def test_chance_or_idleness_in_each_run_tells_of_a_timer() -> None:
    idle, busy = Saving(5.0, idle=True), Saving(5.0)
    assert by_timer([], [idle, idle])
    assert not by_timer([], [idle, busy])
    assert by_timer([TIMED], [busy, busy])
    assert not by_timer([], [])


def test_the_work_is_held_at_the_middle_commit_that_must_come() -> None:
    texts = [f"postgres.commit#{n}:{side}" for n in (1, 2, 3, 4) for side in ("before", "after")]
    found = [SweepMoment(parse_moment(text), text[16] != "1") for text in texts]
    middle = held_for_overtaking([TIMED, *found])
    assert middle is not None
    assert str(middle.at) == "postgres.commit#3:before"
    assert held_for_overtaking([TIMED]) is None


def test_an_offset_passes_when_it_was_asked_for_since_and_is_new() -> None:
    before = {PLACE: 3}
    run = seen((1.0, asked(4)), (1.1, saved(4)))
    assert overtaken(run, before) is run[1]
    assert overtaken(run[1:], before) is None, "it was asked for before the work was held"
    assert overtaken(run[:1], before) is None, "it is not saved yet"
    assert overtaken(seen((1.0, asked(3)), (1.1, saved(3))), before) is None, "it was saved before"


def test_of_replicas_only_the_one_that_dies_counts() -> None:
    run = seen((1.0, asked(4)), (1.1, saved(4)), replica=2)
    assert overtaken(run, {}, 2) is run[1]
    assert overtaken(run, {}, 1) is None
