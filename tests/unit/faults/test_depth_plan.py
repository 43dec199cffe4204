"""The plan of a sweep: what the outcomes ask for."""

from dataclasses import dataclass, field

from killpoint.faults.depth import Depth, Selection
from killpoint.faults.depth_plan import DepthPlan, Limits
from killpoint.faults.durability import DurabilityRules, Place, Stop, states_at
from killpoint.faults.history import Entry, History, Note
from killpoint.faults.moment import Moment, Side, Sighting
from killpoint.faults.position import TopicPartition
from killpoint.faults.scenario import Scenario
from killpoint.faults.sweep import Extent, moments
from tests.support.histories import Told, count_then_save, named_entries

EXTENT = Extent({TopicPartition("clicks", 0): 12}, {TopicPartition("clicks", 0): 0})
KILL = ("kill",)


@dataclass(frozen=True)
class Struck:
    reached: bool
    place: Place | None = None
    left_behind: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ran:
    scenario: Scenario
    faults: tuple[Struck, ...] = ()
    history: History = field(default_factory=History)


def ran(scenario: Scenario, left_behind: tuple[str, ...] = ()) -> Ran:
    """A run of count-then-save that was killed where the scenario says, and then did the rest."""
    told = count_then_save()
    met = entry_at(told, scenario.faults[0].at)
    place = states_at(told.entries, [Stop(met)])[0]
    told.restart()
    done = place.state.transactions.upto
    saved = place.state.saved[0].offset if place.state.saved else 0
    told.fetch(saved, 12)
    for batch in range(saved // 3, 4):
        told.work(*["totals"] * 3)
        told.save(batch * 3 + 3)
    assert done in {saved // 3, saved // 3 + 1}
    return Ran(scenario, (Struck(True, place, left_behind),), History(list(told.entries)))


def entry_at(told: Told, at: Moment) -> Entry:
    return next(entry for moment, entry in named_entries(told) if moment == at)


def plan(depth: Depth, limits: Limits | None = None) -> DepthPlan:
    told = count_then_save()
    found = moments([told.entries, told.entries], extent=EXTENT)
    return DepthPlan(found, Selection(depth, KILL, "1"), limits, extent=EXTENT)


def all_of(planned: DepthPlan, outcome: str = "clean") -> list[Scenario]:
    done: list[Scenario] = []
    while (scenario := planned.next(0.0)) is not None:
        done.append(scenario)
        planned.finished(ran(scenario), outcome)
    return done


def test_states_that_agree_need_no_more() -> None:
    planned = plan(Depth.STATES)
    assert len(all_of(planned)) == planned.total == planned.chosen == 12
    assert planned.difference is None


def test_two_that_differ_have_every_moment_tried() -> None:
    planned, done = plan(Depth.STATES), list[Scenario]()
    while (scenario := planned.next(0.0)) is not None:
        done.append(scenario)
        # Every state is said to be clean at its first moment and lost at its second.
        at, found = scenario.faults[0].at, ran(scenario)
        twice = any(
            found.faults[0].place is not None
            and other.place is not None
            and other.place.state == found.faults[0].place.state
            for other in (ran(s).faults[0] for s in done[:-1])
        )
        planned.finished(found, "lost 3" if twice else "clean")
        assert at not in [s.faults[0].at for s in done[:-1]]
    told = count_then_save()
    assert len(done) == len(moments([told.entries]))
    assert planned.difference is not None
    assert planned.difference.first.outcome == "clean"
    assert planned.difference.second.outcome == "lost 3"
    assert len({s.id for s in done}) == len(done)


def test_what_was_still_running_is_not_compared() -> None:
    planned = plan(Depth.STATES)
    outcomes = iter(range(100))
    while (scenario := planned.next(0.0)) is not None:
        planned.finished(ran(scenario, ("backend 7 waits for a lock",)), f"lost {next(outcomes)}")
    assert planned.difference is None


def test_what_was_not_reached_or_inconclusive_says_nothing() -> None:
    planned = plan(Depth.STATES)
    while (scenario := planned.next(0.0)) is not None:
        planned.finished(Ran(scenario, (Struck(False),)), f"lost {scenario.id}")
        planned.finished(ran(scenario), "")
    assert planned.difference is None


def test_the_time_ends_it() -> None:
    planned = plan(Depth.MOMENTS, Limits(seconds=10.0))
    assert planned.next(9.9) is not None
    assert planned.next(10.0) is None
    assert planned.left == planned.total - 1


def test_a_limit_ends_it() -> None:
    assert len(all_of(plan(Depth.MOMENTS, Limits(scenarios=5)))) == 5


def test_a_second_kill_in_each_class_of_the_recoveries() -> None:
    planned = plan(Depth.CLASSES, Limits(kills=2))
    done = all_of(planned)
    twice = [s for s in done if len(s.faults) == 2]
    assert len(done) - len(twice) == planned.chosen
    assert twice
    assert all(not s.required for s in twice)
    assert all(fault.action == "kill" for s in twice for fault in s.faults)
    assert len({s.faults for s in twice}) == len(twice)
    # However many firsts a class has, its recoveries' classes are tried once.
    assert len(twice) <= 3 * 4


def test_a_second_kill_in_each_state_of_the_recoveries() -> None:
    few, many = plan(Depth.CLASSES, Limits(kills=2)), plan(Depth.STATES, Limits(kills=2))
    assert len(all_of(many)) > len(all_of(few))


def commit_of(replica: int, number: int, side: Side, life: int = 1) -> Entry:
    """A commit of one replica, which for its crash class says nothing."""
    identity = (("replica", replica), ("transaction", number))
    seen = Sighting("postgres", "commit", side, number, (identity,))
    return Entry(0.0, life, "postgres", replica, (), (seen,), replica=replica)


def left_of(planned: DepthPlan) -> list[Scenario]:
    """What it gives now, none of it finished."""
    return list(iter(lambda: planned.next(0.0), None))


def test_where_others_live_on_the_second_to_die_is_the_same_and_another() -> None:
    met, rules = commit_of(1, 1, Side.BEFORE), DurabilityRules(one_dies=True)
    found = moments([[met], [met]], rules)
    wanted = Selection(Depth.CLASSES, KILL, survivors=True)
    planned = DepthPlan(found, wanted, Limits(kills=2), rules)
    (first,) = left_of(planned)
    lines: list[Entry | Note] = [met, Note(0.0, 2, "the others go on")]
    lines += [commit_of(2, number, side) for number in (1, 2) for side in Side]
    lines += [commit_of(1, number, side, 2) for number in (1, 2) for side in Side]
    place = states_at([met], [Stop(met)], rules)[0]
    planned.finished(Ran(first, (Struck(True, place),), History(lines)), "clean")
    assert [str(scenario.faults[1].at) for scenario in left_of(planned)] == [
        "postgres.commit{replica=2}#1:after",
        "postgres.commit{replica=1}#1:after",
    ]
