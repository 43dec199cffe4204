"""Names of sightings: each tells its own place from all others and can be pasted back."""

from killpoint.faults.moment import Side, Sighting, Value
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.naming import names

Identity = tuple[tuple[str, Value], ...]


def sighted(event: str, number: int, *identities: Identity, side: Side = Side.AFTER) -> Sighting:
    edge = "postgres" if event in {"begin", "write", "commit", "rollback"} else "kafka"
    return Sighting(edge, event, side, number, identities or ((),))


def saved(number: int, *offsets: int, side: Side = Side.AFTER) -> Sighting:
    identities = [
        (("topic", "clicks"), ("partition", at), ("offset", o)) for at, o in enumerate(offsets)
    ]
    return sighted("offset_commit", number, *identities, side=side)


def texts(*sightings: Sighting) -> list[str]:
    return [str(moment) for moment in names(sightings)]


def test_an_offset_names_its_commit() -> None:
    assert texts(saved(1, 3), saved(2, 6)) == [
        'kafka.offset_commit{topic="clicks",partition=0,offset=3}:after',
        'kafka.offset_commit{topic="clicks",partition=0,offset=6}:after',
    ]


def test_an_offset_that_is_committed_twice_is_counted() -> None:
    assert texts(saved(1, 3), saved(2, 3)) == [
        "kafka.offset_commit#1:after",
        "kafka.offset_commit#2:after",
    ]


def test_the_other_side_of_the_same_exchange_is_no_peer() -> None:
    named = texts(saved(1, 3, side=Side.BEFORE), saved(1, 3))
    assert [name.partition("}")[2] for name in named] == [":before", ":after"]


def test_the_first_partition_that_is_alone_gives_the_name() -> None:
    assert texts(saved(1, 3, 5), saved(2, 3, 7)) == [
        'kafka.offset_commit{topic="clicks",partition=1,offset=5}:after',
        'kafka.offset_commit{topic="clicks",partition=1,offset=7}:after',
    ]


def test_commits_are_counted() -> None:
    first = sighted("commit", 1, (("transaction", 1),))
    second = sighted("commit", 2, (("transaction", 2),))
    assert texts(first, second) == ["postgres.commit#1:after", "postgres.commit#2:after"]


def test_a_fetch_is_named_by_its_first_record_alone() -> None:
    span = (("topic", "clicks"), ("partition", 0), ("offset", 0), ("next", 6))
    assert texts(sighted("fetch", 1, span)) == [
        'kafka.fetch{topic="clicks",partition=0,offset=0}:after'
    ]


def test_a_fetch_whose_first_record_came_twice_is_counted() -> None:
    first = (("topic", "clicks"), ("partition", 0), ("offset", 2), ("next", 6))
    whole = (("topic", "clicks"), ("partition", 0), ("offset", 0), ("next", 6))
    assert texts(sighted("fetch", 1, whole), sighted("fetch", 2, first))[1] == "kafka.fetch#2:after"


def test_an_edge_of_another_name_keeps_it() -> None:
    sighting = Sighting("orders", "write", Side.AFTER, 1, ((("transaction", 1), ("statement", 1)),))
    (moment,) = names([sighting], {"orders": "postgres"})
    assert str(moment) == "orders.write{transaction=1,statement=1}:after"


def test_every_name_can_be_pasted_back() -> None:
    for moment in names([saved(1, 3), saved(2, 3), sighted("commit", 1), sighted("join", 1)]):
        assert parse_moment(str(moment)) == moment


def of_replica(number: int, *identity: tuple[str, Value]) -> Identity:
    return (("replica", number), *identity)


def test_a_replica_is_named_where_nothing_else_tells_it() -> None:
    first, second = of_replica(1), of_replica(2)
    assert texts(sighted("commit", 1, first), sighted("commit", 1, second)) == [
        "postgres.commit{replica=1}#1:after",
        "postgres.commit{replica=2}#1:after",
    ]
    written = (("transaction", 1), ("statement", 1))
    assert texts(sighted("write", 1, of_replica(1, *written))) == [
        "postgres.write{replica=1,transaction=1,statement=1}:after"
    ]


def test_a_partition_tells_the_replica_unless_both_had_it() -> None:
    place = (("topic", "clicks"), ("partition", 0), ("offset", 3))
    mine, others = of_replica(1, *place), of_replica(2, *place)
    bare = 'kafka.offset_commit{topic="clicks",partition=0,offset=3}:after'
    assert texts(sighted("offset_commit", 1, mine)) == [bare]
    assert texts(sighted("offset_commit", 1, mine), sighted("offset_commit", 1, others)) == [
        bare.replace("{", "{replica=1,"),
        bare.replace("{", "{replica=2,"),
    ]


def test_names_with_a_replica_can_be_pasted_back() -> None:
    for moment in names([sighted("commit", 2, of_replica(3)), sighted("join", 1, of_replica(3))]):
        assert parse_moment(str(moment)) == moment
        assert moment.replica == 3
