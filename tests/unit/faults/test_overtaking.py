"""Offsets that a timer saves, read off histories, and one that passes the work."""

from collections.abc import Mapping, Sequence

import pytest

from killpoint.faults.events import (
    CommitAnswered,
    CommitAsked,
    Event,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    RecordsFetched,
)
from killpoint.faults.history import Entry
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.overtaking import (
    Passing,
    Saving,
    held_for_overtaking,
    saving_of,
)
from killpoint.faults.position import Position, Span, TopicPartition
from killpoint.faults.sweep import SweepMoment

PLACE = TopicPartition("clicks", 0)
FETCHED = RecordsFetched(1, (Span("clicks", 0, 0, 6),))
COMMITTED = CommitAnswered(1, 1, auto=False)
SURE = SweepMoment(parse_moment("kafka.offset_commit{partition=0,offset=3}:after"), True)
SIDES = ("before", "after")
IDLE, BUSY = Saving(5.0, idle=True, workers=1), Saving(5.0, workers=1)
SEVERAL = Saving(5.0, workers=4)
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


def test_who_commits_work_is_counted() -> None:
    commit = CommitAsked(1, 1, auto=False)
    ones = [Entry(at, 1, "postgres", int(at), (commit,)) for at in (0.5, 2.0, 3.0, 3.5)]
    assert saving_of([ones[0], *seen((1.0, FETCHED)), *ones[1:]]).workers == 2


def commits(count: int) -> list[SweepMoment]:
    """Both sides of each; the first one does not come in every run."""
    texts = [(n, f"postgres.commit#{n}:{s}") for n in range(1, count + 1) for s in SIDES]
    return [SweepMoment(parse_moment(text), n > 1) for n, text in texts]


@pytest.mark.parametrize(
    ("saved", "runs", "held"),
    [
        ([SURE], [IDLE, IDLE], ["3"]),
        ([SURE], [IDLE, BUSY], []),
        ([TIMED], [BUSY, BUSY], ["3"]),
        ([], [IDLE, IDLE], []),
        ([SURE], [], []),
        ([SURE], [SEVERAL, SEVERAL], ["3", "2", "5"]),
        ([SURE], [SEVERAL, BUSY], []),
        ([], [SEVERAL, SEVERAL], []),
    ],
)
def test_work_is_held_where_a_timer_or_another_worker_may_step_over_it(
    saved: list[SweepMoment], runs: list[Saving], held: list[str]
) -> None:
    found = held_for_overtaking([*commits(5), *saved], runs)
    assert [str(moment.at) for moment in found] == [f"postgres.commit#{n}:before" for n in held]
    assert held_for_overtaking(saved, runs) == ()


def passing(
    since: Sequence[Entry], saved: Mapping[TopicPartition, int], replica: int | None = None
) -> Entry | None:
    """What has passed, whether the entries come together or one by one."""
    together, one_by_one = Passing(saved, replica), Passing(saved, replica)
    together.see(since)
    for entry in since:
        one_by_one.see([entry])
    assert together.last is one_by_one.last
    return together.last


def test_an_offset_passes_when_it_was_asked_for_since_and_is_new() -> None:
    before = {PLACE: 3}
    run = seen((1.0, asked(4)), (1.1, saved(4)))
    assert passing(run, before) is run[1]
    assert passing(run[1:], before) is None, "it was asked for before the work was held"
    assert passing(run[:1], before) is None, "it is not saved yet"
    assert passing(seen((1.0, asked(3)), (1.1, saved(3))), before) is None, "it was saved before"


def test_the_last_new_offset_counts() -> None:
    run = seen((1.0, asked(4)), (1.1, saved(4)), (1.2, asked(6)), (1.3, saved(6)))
    again = seen((1.4, asked(6)), (1.5, saved(6)))
    assert passing([*run, *again], {PLACE: 3}) is run[3]


def test_of_replicas_only_the_one_that_dies_counts() -> None:
    run = seen((1.0, asked(4)), (1.1, saved(4)), replica=2)
    assert passing(run, {}, 2) is run[1]
    assert passing(run, {}, 1) is None
