"""From the clean runs' sightings to moments and scenarios."""

from collections.abc import Sequence

from killpoint.faults.durability import DurabilityRules
from killpoint.faults.history import Entry, History, Note
from killpoint.faults.moment import Side, Sighting, Value
from killpoint.faults.sweep import SweepMoment, middle_batch, moments, recovered, scenarios

Identity = tuple[tuple[str, Value], ...]


def sighted(event: str, side: Side, number: int, identity: Identity = ()) -> Sighting:
    edge = "kafka" if event in {"join", "fetch", "offset_commit"} else "postgres"
    return Sighting(edge, event, side, number, (identity,))


def entry(*sightings: Sighting) -> Entry:
    return Entry(0.0, 1, sightings[0].edge, 1, (), sightings)


def offset(value: int) -> Identity:
    return (("topic", "clicks"), ("partition", 0), ("offset", value))


def write(transaction: int, statement: int) -> Identity:
    return (("transaction", transaction), ("statement", statement))


def cycle_of(number: int) -> list[Entry]:
    """begin, three writes, commit, offset: both sides of each."""
    steps: list[tuple[str, int, Identity]] = [("begin", number, ())]
    steps += [("write", 3 * number - 3 + s, write(number, s)) for s in (1, 2, 3)]
    steps += [("commit", number, (("transaction", number),))]
    steps += [("offset_commit", number, offset(3 * number))]
    return [entry(sighted(e, side, n, i)) for e, n, i in steps for side in Side]


def clean_run(cycles: int = 4) -> list[Entry]:
    fetched = (*offset(0), ("next", 12))
    start = [
        entry(sighted("join", Side.AFTER, 1)),
        entry(sighted("fetch", Side.AFTER, 1, fetched)),
    ]
    return start + [line for number in range(1, cycles + 1) for line in cycle_of(number)]


def texts(found: Sequence[SweepMoment]) -> list[str]:
    return [str(moment.at) for moment in found]


def test_every_moment_of_equal_runs_is_required() -> None:
    found = moments([clean_run(), clean_run()])
    assert len(found) == 2 + 4 * 12
    assert all(moment.required for moment in found)
    assert texts(found)[:4] == [
        "kafka.join#1:after",
        'kafka.fetch{topic="clicks",partition=0,offset=0}:after',
        "postgres.begin#1:before",
        "postgres.begin#1:after",
    ]
    assert 'kafka.offset_commit{topic="clicks",partition=0,offset=6}:before' in texts(found)
    assert "postgres.write{transaction=2,statement=1}:after" in texts(found)


def test_a_moment_of_one_run_only_varies() -> None:
    extra = entry(sighted("rollback", Side.BEFORE, 1, (("transaction", 5),)))
    found = moments([clean_run(), [*clean_run(), extra]])
    varying = [str(moment.at) for moment in found if not moment.required]
    assert varying == ["postgres.rollback#1:before"]


def test_offsets_that_vary_are_a_timers_also_where_two_runs_agree_by_chance() -> None:
    extra = entry(sighted("offset_commit", Side.BEFORE, 5, offset(7)))
    other = entry(sighted("offset_commit", Side.BEFORE, 6, (*offset(9)[:1], ("partition", 1))))
    found = moments([[*clean_run(), other], [*clean_run(), extra, other]])
    varying = {m.at.event for m in found if not m.required}
    assert varying == {"offset_commit"}
    saved = [m for m in found if m.at.event == "offset_commit"]
    assert [str(m.at) for m in saved if m.required] == [
        'kafka.offset_commit{topic="clicks",partition=1}:before'
    ]
    assert len(saved) == 4 * 2 + 2


def test_offsets_of_a_timer_are_counted_so_that_a_kill_finds_them_again() -> None:
    def saved(number: int, value: int) -> list[Entry]:
        return [entry(sighted("offset_commit", side, number, offset(value))) for side in Side]

    found = moments([[*saved(1, 5), *saved(2, 12)], [*saved(1, 7), *saved(2, 12), *saved(3, 12)]])
    place = 'kafka.offset_commit{topic="clicks",partition=0}'
    assert texts(found) == [f"{place}#{n}:{side}" for n in (1, 2, 3) for side in Side]
    assert not any(moment.required for moment in found)


def test_of_a_timers_partition_alone_the_saved_offsets_are_counted() -> None:
    def saved(number: int, partition: int, value: int) -> Entry:
        identity: Identity = (("topic", "clicks"), ("partition", partition), ("offset", value))
        return entry(sighted("offset_commit", Side.AFTER, number, identity))

    found = moments([[saved(1, 0, 5), saved(2, 1, 4)], [saved(1, 1, 4), saved(2, 0, 6)]])
    assert {str(moment.at): moment.required for moment in found} == {
        'kafka.offset_commit{topic="clicks",partition=0}#1:after': False,
        'kafka.offset_commit{topic="clicks",partition=1,offset=4}:after': True,
    }


def test_a_frame_with_two_names_is_swept_once_as_the_commit() -> None:
    both = entry(
        sighted("write", Side.BEFORE, 1, write(1, 1)),
        sighted("commit", Side.BEFORE, 1, (("transaction", 1),)),
    )
    assert texts(moments([[both], [both]])) == ["postgres.commit#1:before"]


def test_a_selector_that_does_not_tell_apart_gives_way_to_the_number() -> None:
    twice = [entry(sighted("offset_commit", Side.BEFORE, n, offset(3))) for n in (1, 2)]
    found = texts(moments([twice, twice]))
    assert found == ["kafka.offset_commit#1:before", "kafka.offset_commit#2:before"]


def test_no_clean_run_has_no_moment() -> None:
    assert moments([]) == []


def test_one_scenario_a_moment_and_action() -> None:
    planned = scenarios(moments([clean_run(1), clean_run(1)]), ["kill"])
    assert [scenario.id for scenario in planned[:2]] == ["S01", "S02"]
    assert len(planned) == 14
    assert all(len(scenario.faults) == 1 for scenario in planned)


def test_the_middle_batch_has_every_kind_of_moment_once() -> None:
    chosen = texts(middle_batch(moments([clean_run(), clean_run()])))
    assert len(chosen) == 12
    assert "postgres.write{transaction=2,statement=2}:after" not in chosen
    assert "postgres.write{transaction=2,statement=3}:after" in chosen
    assert chosen[0] == "kafka.join#1:after"
    assert "postgres.commit#2:after" in chosen
    assert "postgres.commit#1:after" not in chosen


def test_of_a_batch_of_several_transactions_the_ends_are_taken() -> None:
    runs = [clean_run(12), clean_run(12)]
    chosen = texts(middle_batch(moments(runs), transactions=3))
    commits = [text for text in chosen if "commit#" in text and "postgres" in text]
    assert commits == [f"postgres.commit#{n}:{side}" for n in (4, 6) for side in Side]


def test_a_single_batch_is_taken_whole() -> None:
    found = moments([clean_run(1), clean_run(1)])
    assert middle_batch(found) == found


def test_offsets_by_a_timer_do_not_hide_the_batches() -> None:
    def one(number: int) -> list[Entry]:
        return [entry(sighted("commit", side, number, ())) for side in Side]

    def saved(number: int, value: int) -> list[Entry]:
        return [entry(sighted("offset_commit", side, number, offset(value))) for side in Side]

    run = [*one(1), *one(2), *saved(1, 3), *one(3), *one(4), *saved(2, 6), *one(5), *one(6)]
    run += [*one(7), *one(8), *saved(3, 9), *one(9)]
    chosen = texts(middle_batch(moments([run, run]), transactions=3))
    assert chosen == [
        "postgres.commit#4:before",
        "postgres.commit#4:after",
        'kafka.offset_commit{topic="clicks",partition=0,offset=6}:before',
        'kafka.offset_commit{topic="clicks",partition=0,offset=6}:after',
        "postgres.commit#6:before",
        "postgres.commit#6:after",
    ]


def test_a_cycle_may_hold_the_whole_batch() -> None:
    """Offsets by a timer that come at the same place in every batch: still one batch, its ends."""

    def one(number: int) -> list[Entry]:
        return [entry(sighted("commit", side, number, ())) for side in Side]

    def batch(number: int) -> list[Entry]:
        saved = [entry(sighted("offset_commit", s, number, offset(3 * number))) for s in Side]
        first = 3 * number - 2
        return [*one(first), *one(first + 1), *saved, *one(first + 2)]

    run = [line for number in range(1, 5) for line in batch(number)]
    assert texts(middle_batch(moments([run, run]), transactions=3)) == [
        "postgres.commit#4:before",
        "postgres.commit#4:after",
        'kafka.offset_commit{topic="clicks",partition=0,offset=6}:before',
        'kafka.offset_commit{topic="clicks",partition=0,offset=6}:after',
        "postgres.commit#6:before",
        "postgres.commit#6:after",
    ]


def test_what_a_survivor_heard_while_the_edges_were_frozen_cannot_be_stopped_at_again() -> None:
    def commit(replica: int, number: int, side: Side, life: int = 1) -> Entry:
        sighting = sighted("commit", side, number, (("replica", replica), ("transaction", number)))
        return Entry(0.0, life, "postgres", replica, (), (sighting,), replica=replica)

    met = commit(1, 1, Side.AFTER)
    lines: list[Entry | Note] = [Note(0.0, 1, "started"), commit(2, 1, Side.BEFORE), met]
    lines += [Note(0.0, 1, "reached"), commit(2, 1, Side.AFTER), Note(0.0, 2, "the others go on")]
    lines += [commit(2, 2, Side.BEFORE), commit(2, 2, Side.AFTER), commit(1, 1, Side.BEFORE, 2)]
    assert texts(recovered(History(lines), met, DurabilityRules(one_dies=True))) == [
        "postgres.commit{replica=2}#2:before",
        "postgres.commit{replica=2}#2:after",
        "postgres.commit{replica=1}#1:before",
    ]
