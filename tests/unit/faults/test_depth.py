"""Which moments are worth a scenario."""

from collections import Counter
from collections.abc import Sequence

import pytest

from killpoint.faults.depth import Depth, Selection, selected, states_of
from killpoint.faults.moment import Moment, Sighting
from killpoint.faults.position import TopicPartition
from killpoint.faults.scenario import Scenario
from killpoint.faults.sweep import Extent, SweepMoment, moments
from tests.support.histories import count_then_save, save_then_count

KILL = ("kill",)


def found(batches: int = 4) -> list[SweepMoment]:
    place = TopicPartition("clicks", 0)
    told = count_then_save(batches)
    return moments([told.entries, told.entries], extent=Extent({place: batches * 3}, {place: 0}))


def at(scenarios: list[Scenario]) -> list[str]:
    return [str(scenario.faults[0].at) for scenario in scenarios]


def by_moment(batches: int = 4) -> dict[str, SweepMoment]:
    return {str(moment.at): moment for moment in found(batches)}


def test_each_state_is_tried_once_and_some_twice() -> None:
    chosen = at(selected(found(), Selection(Depth.STATES, KILL, "1")))
    tried = Counter(by_moment()[name].state for name in chosen)
    assert tried.keys() == states_of(found()).keys()
    assert set(tried.values()) == {1, 2}
    assert len(chosen) == len(set(chosen)) == 9 + 3


def test_each_class_is_tried_at_its_first_middle_and_last_state() -> None:
    chosen = at(selected(found(), Selection(Depth.CLASSES, KILL, "1")))
    tried = Counter(by_moment()[name].crash_class for name in chosen)
    assert sorted(tried.values()) == [2, 4, 4]
    states = [str(by_moment()[name].state) for name in chosen]
    assert "transactions 1" in states
    assert "offsets clicks-0:3; transactions 1–2" in states
    assert "offsets clicks-0:9; transactions 1–4" in states


@pytest.mark.parametrize("batches", [4, 40, 400])
def test_the_number_does_not_grow_with_the_events(batches: int) -> None:
    assert len(selected(found(batches), Selection(Depth.CLASSES, KILL, "1"))) == 10


def test_one_of_each_class_comes_before_the_second_of_any() -> None:
    for shuffled in (False, True):
        wanted = Selection(Depth.CLASSES, KILL, "7", shuffled)
        first = at(selected(found(), wanted))[:3]
        assert len({by_moment()[name].crash_class for name in first}) == 3


@pytest.mark.parametrize("depth", list(Depth))
def test_an_overtaking_comes_with_the_kills(depth: Depth) -> None:
    middle = by_moment()["postgres.commit#2:before"]
    plain = selected(found(), Selection(depth, KILL, "1"))
    more = selected(found(), Selection(depth, KILL, "1", overtaken=(middle,)))
    assert len(more) == len(plain) + 1
    (one,) = [s.faults[0] for s in more if s.faults[0].action != "kill"]
    assert str(one) == "overtake at postgres.commit#2:before"
    others = Selection(depth, ("terminate",), "1", overtaken=(middle,))
    assert {s.faults[0].action for s in selected(found(), others)} == {"terminate"}


def test_the_seed_chooses_and_repeats() -> None:
    orders = [at(selected(found(), Selection(Depth.STATES, KILL, str(s)))) for s in range(8)]
    assert len({tuple(order) for order in orders}) > 1
    assert at(selected(found(), Selection(Depth.STATES, KILL, "3"))) == orders[3]


def test_every_moment_comes_in_order() -> None:
    chosen = at(selected(found(), Selection(Depth.MOMENTS, KILL)))
    assert chosen == [str(moment.at) for moment in found()]
    short = at(selected(found(), Selection(Depth.MOMENTS, KILL, "1", shuffled=True)))
    assert sorted(short) == sorted(chosen) != short


def test_terminate_has_one_of_each_kind_of_moment_in_each_class() -> None:
    chosen = selected(found(), Selection(Depth.CLASSES, ("terminate",)))
    kinds = [
        (by_moment()[name].crash_class, moment.event, moment.side)
        for name, moment in zip(at(chosen), (s.faults[0].at for s in chosen), strict=True)
    ]
    assert len(kinds) == len(set(kinds))
    assert {s.faults[0].action for s in chosen} == {"terminate"}
    everything = selected(found(), Selection(Depth.STATES, ("terminate",)))
    assert len(everything) == len(found())


def test_two_actions_take_turns() -> None:
    chosen = selected(found(), Selection(Depth.CLASSES, ("kill", "terminate")))
    assert [s.faults[0].action for s in chosen[:4]] == ["kill", "terminate", "kill", "terminate"]
    assert [s.id for s in chosen[:3]] == ["S01", "S02", "S03"]


def test_what_must_come_stands_for_its_state() -> None:
    told = save_then_count(1)
    runs = [told.entries, [*told.entries[:1], *told.entries[2:]]]
    required = {m.at: m.required for m in moments(runs)}
    chosen = selected(moments(runs), Selection(Depth.CLASSES, KILL))
    assert not all(required.values())
    assert required[chosen[0].faults[0].at]


def test_a_timers_offset_is_tried_where_it_is_saved_whatever_else_leaves_that_state() -> None:
    """A moment beside it comes in every run, but not with the timer's offset saved."""
    told = save_then_count(4)
    steps = [m for m in moments([told.entries, told.entries]) if m.at.event == "offset_commit"]
    runs = [told.entries, [e for e in told.entries if not _saves(e.sightings, steps[0].at)]]
    timed = [m for m in moments(runs) if m.at.event == "offset_commit"]
    assert timed
    assert not any(m.required for m in timed)
    for depth in Depth:
        chosen = at(selected(moments(runs), Selection(depth, KILL)))
        assert 'kafka.offset_commit{topic="clicks",partition=0}#1:after' in chosen


def _saves(sightings: Sequence[Sighting], at: Moment) -> bool:
    return any(one.event == at.event and at.selector in one.identities for one in sightings)


def test_nothing_found_is_nothing_to_do() -> None:
    for depth in Depth:
        assert selected([], Selection(depth, KILL)) == []


def test_with_survivors_no_moment_stands_for_another() -> None:
    wanted = Selection(Depth.STATES, KILL, "1", survivors=True)
    assert sorted(at(selected(found(), wanted))) == sorted(by_moment())
    fewer = at(selected(found(), Selection(Depth.CLASSES, KILL, "1", survivors=True)))
    kinds = {(m.crash_class, m.at.event, m.at.side) for m in found()}
    assert len(fewer) == len(kinds)
