"""The cycle in words."""

from killpoint.faults.cycle import cycle
from killpoint.faults.moment import Side, Sighting, Value

Identity = tuple[tuple[str, Value], ...]


def after(event: str, *identities: Identity) -> Sighting:
    return Sighting("any", event, Side.AFTER, 1, identities or ((),))


def saved(offset: int) -> Sighting:
    return after("offset_commit", (("topic", "t"), ("partition", 0), ("offset", offset)))


FETCHED = after("fetch", (("topic", "t"), ("partition", 0), ("offset", 0), ("next", 12)))
BATCH = [after("begin"), after("write"), after("write"), after("write"), after("commit")]


def test_the_first_period_stands_for_all() -> None:
    seen = cycle([after("join"), FETCHED, *BATCH, saved(3), *BATCH, saved(6)])
    assert str(seen) == "fetched 0–11 → begin → 3 writes → commit → offset 3 saved …"
    assert seen.repeated == 2
    assert seen.order == "begin → write → commit → offset"


def test_what_is_not_repeated_has_no_dots() -> None:
    assert str(cycle([FETCHED, *BATCH])) == "fetched 0–11 → begin → 3 writes → commit"


def test_one_record_is_one_number() -> None:
    one = after("fetch", (("topic", "t"), ("partition", 0), ("offset", 4), ("next", 5)))
    assert str(cycle([one])) == "fetched 4"


def test_offsets_by_a_timer_stand_apart() -> None:
    one = [after("begin"), after("write"), after("commit")]
    seen = cycle([FETCHED, *one, *one, saved(2), *one])
    assert seen.order == "begin → write → commit, offset apart"


def test_requests_are_no_steps() -> None:
    asked = Sighting("any", "commit", Side.BEFORE, 1, ((),))
    assert str(cycle([asked])) == "nothing seen"


def test_of_several_replicas_the_cycle_is_that_of_one() -> None:
    def of(replica: int, event: str) -> Sighting:
        return after(event, (("replica", replica), ("offset", 0), ("next", 3)))

    steps = ("fetch", "begin", "write", "commit")
    mixed = [of(replica, event) for event in steps for replica in (2, 1)]
    assert str(cycle(mixed)) == "fetched 0–2 → begin → write → commit"
