"""The gate as conversations: events in, names and at most one fault out."""

import pytest

from killpoint.faults.events import (
    BeginAnswered,
    BeginAsked,
    CommitAnswered,
    CommitAsked,
    Event,
    Joined,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    RecordsFetched,
    RollbackAnswered,
    RollbackAsked,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.gate import Gate, GateRules
from killpoint.faults.moment import Side, Sighting
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.position import Position, Span
from killpoint.faults.scenario import Fault

FETCHED = RecordsFetched(1, (Span("clicks", 0, 0, 12),))
JOINED = Joined("g", "m", None, "classic", 1)


def asked(edge: str, *events: Event, gate: Gate) -> Sighting | None:
    """The one sighting of a piece, if it has one."""
    seen = gate.see(edge, 1, events)
    return seen.sightings[0] if seen.sightings else None


def open_gate(*moments: str, rules: GateRules | None = None) -> Gate:
    """A gate whose target has fetched records."""
    gate = Gate([Fault(parse_moment(m), "kill") for m in moments], rules)
    gate.restarted()
    gate.see("kafka", 1, [FETCHED])
    return gate


def transaction(gate: Gate, number: int, connection: int = 1) -> list[str]:
    """One transaction with a write through the gate; the faults that it met, as texts."""
    events: list[Event] = [
        BeginAsked(number * 10, number),
        BeginAnswered(number * 10, number),
        WriteAsked(number * 10 + 1, number, frozenset({"t"})),
        WriteAnswered(number * 10 + 1, number, 1),
        CommitAsked(number * 10 + 2, number, False),
        CommitAnswered(number * 10 + 2, number, False),
    ]
    met = [gate.see("postgres", connection, [event]).fault for event in events]
    return [str(fault.at) for fault in met if fault is not None]


def test_the_second_commit_is_met_after_it() -> None:
    gate = open_gate("postgres.commit#2:after")
    assert transaction(gate, 1) == []
    assert transaction(gate, 2) == ["postgres.commit#2:after"]


def test_counts_run_over_all_connections() -> None:
    gate = open_gate("postgres.commit#2:before")
    assert transaction(gate, 1, connection=1) == []
    assert transaction(gate, 1, connection=2) == ["postgres.commit#2:before"]


def test_postgres_does_not_count_before_the_first_record() -> None:
    gate = Gate([Fault(parse_moment("postgres.commit#1:after"), "kill")])
    gate.restarted()
    assert transaction(gate, 1) == []
    gate.see("kafka", 1, [FETCHED])
    assert transaction(gate, 2) == ["postgres.commit#1:after"]


def test_from_the_start_it_does() -> None:
    gate = Gate([Fault(parse_moment("postgres.commit#1:after"), "kill")], GateRules(True))
    gate.restarted()
    assert transaction(gate, 1) == ["postgres.commit#1:after"]


def test_only_transactions_that_wrote_have_a_commit() -> None:
    gate = open_gate()
    assert asked("postgres", CommitAsked(1, 1, False), gate=gate) is None
    assert asked("postgres", CommitAnswered(1, 1, False), gate=gate) is None


def test_ignored_tables_write_nothing() -> None:
    gate = open_gate(rules=GateRules(ignore_tables=frozenset({"shedlock"})))
    assert asked("postgres", WriteAsked(1, 1, frozenset({"shedlock"})), gate=gate) is None
    assert asked("postgres", CommitAsked(2, 1, False), gate=gate) is None
    both = asked("postgres", WriteAsked(3, 2, frozenset({"shedlock", "t"})), gate=gate)
    assert both is not None and both.number == 1


def test_a_write_names_its_transaction_and_statement() -> None:
    gate = open_gate()
    transaction(gate, 1)
    gate.see("postgres", 1, [WriteAsked(90, 7, frozenset())])
    second = asked("postgres", WriteAsked(91, 7, frozenset()), gate=gate)
    assert second is not None
    assert dict(second.identities[0]) == {"transaction": 2, "statement": 2}
    assert second.number == 3


def test_answers_in_another_order_keep_their_numbers() -> None:
    gate = open_gate("postgres.commit#1:after")
    gate.see("postgres", 1, [WriteAsked(1, 1, frozenset()), CommitAsked(2, 1, False)])
    gate.see("postgres", 2, [WriteAsked(1, 1, frozenset()), CommitAsked(2, 1, False)])
    assert gate.see("postgres", 2, [CommitAnswered(2, 1, False)]).fault is None
    assert gate.see("postgres", 1, [CommitAnswered(2, 1, False)]).fault is not None


def test_a_commit_answered_rollback_is_a_rollback() -> None:
    gate = open_gate()
    gate.see("postgres", 1, [WriteAsked(1, 1, frozenset()), CommitAsked(2, 1, False)])
    rolled = asked("postgres", RollbackAnswered(2, 1), gate=gate)
    assert rolled is not None
    assert (rolled.event, rolled.side, rolled.number) == ("rollback", Side.AFTER, 1)
    assert asked("postgres", CommitAnswered(2, 1, False), gate=gate) is None


def test_a_rollback_has_both_sides() -> None:
    gate = open_gate("postgres.rollback#1:after")
    gate.see("postgres", 1, [WriteAsked(1, 1, frozenset()), RollbackAsked(2, 1)])
    assert gate.see("postgres", 1, [RollbackAnswered(2, 1)]).fault is not None


def test_one_frame_that_writes_and_commits_carries_both_names() -> None:
    gate = open_gate()
    seen = gate.see("postgres", 1, [WriteAsked(1, 1, frozenset()), CommitAsked(2, 1, True)])
    assert [sighting.event for sighting in seen.sightings] == ["write", "commit"]


@pytest.mark.parametrize("offset", [0, 5, 11])
def test_a_fetch_matches_an_offset_that_it_contains(offset: int) -> None:
    moment = f'kafka.fetch{{topic="clicks",partition=0,offset={offset}}}:after'
    gate = Gate([Fault(parse_moment(moment), "kill")])
    gate.restarted()
    assert gate.see("kafka", 1, [FETCHED]).fault is not None


def test_a_fetch_does_not_match_the_offset_after_it() -> None:
    gate = Gate([Fault(parse_moment("kafka.fetch{offset=12}:after"), "kill")])
    gate.restarted()
    assert gate.see("kafka", 1, [FETCHED]).fault is None


def test_an_offset_commit_matches_one_of_its_partitions() -> None:
    gate = open_gate('kafka.offset_commit{topic="clicks",partition=1,offset=6}:after')
    positions = (Position("clicks", 0, 3), Position("clicks", 1, 6))
    assert gate.see("kafka", 1, [OffsetCommitAsked(5, "g", positions)]).fault is None
    assert gate.see("kafka", 1, [OffsetCommitAnswered(5, "g", positions)]).fault is not None


def test_a_failed_offset_commit_has_no_after() -> None:
    gate = open_gate("kafka.offset_commit#1:after")
    gate.see("kafka", 1, [OffsetCommitAsked(5, "g", (Position("clicks", 0, 3),))])
    failed = OffsetCommitAnswered(5, "g", (), ("REBALANCE_IN_PROGRESS",))
    assert gate.see("kafka", 1, [failed]).fault is None


def test_a_selector_counts_its_own_matches() -> None:
    gate = open_gate("kafka.offset_commit{partition=1}#2:before")
    positions = [Position("clicks", p, o) for p, o in ((1, 1), (0, 1), (1, 2))]
    met = [
        gate.see("kafka", 1, [OffsetCommitAsked(n, "g", (position,))]).fault is not None
        for n, position in enumerate(positions)
    ]
    assert met == [False, False, True]


def test_only_the_first_join_of_a_group_counts() -> None:
    gate = Gate()
    gate.restarted()
    assert asked("kafka", JOINED, gate=gate) is not None
    assert asked("kafka", JOINED, gate=gate) is None


def test_the_second_fault_waits_for_the_restart() -> None:
    gate = open_gate("postgres.commit#1:after", "postgres.commit#1:after")
    assert transaction(gate, 1) == ["postgres.commit#1:after"]
    assert transaction(gate, 2) == []
    gate.restarted()
    gate.see("kafka", 1, [FETCHED])
    assert transaction(gate, 1) == ["postgres.commit#1:after"]
    assert gate.waiting == ()


def commit_of(gate: Gate, replica: int, number: int) -> list[str]:
    """A transaction with a write of one replica; the faults that it met, as texts."""
    if number == 1:
        gate.see("kafka", replica, [FETCHED], replica)
    events: list[Event] = [
        WriteAsked(number * 10 + 1, number, frozenset({"t"})),
        WriteAnswered(number * 10 + 1, number, 1),
        CommitAsked(number * 10 + 2, number, False),
        CommitAnswered(number * 10 + 2, number, False),
    ]
    met = [gate.see("postgres", replica, [event], replica).fault for event in events]
    return [str(fault.at) for fault in met if fault is not None]


def test_each_replica_has_numbers_of_its_own() -> None:
    gate = Gate([Fault(parse_moment("postgres.commit{replica=2}#2:after"), "kill")])
    gate.restarted()
    assert commit_of(gate, 1, 1) == []
    assert commit_of(gate, 2, 1) == []
    assert commit_of(gate, 1, 2) == []
    assert commit_of(gate, 2, 2) == ["postgres.commit{replica=2}#2:after"]


def test_without_a_replica_the_matches_of_all_count() -> None:
    gate = Gate([Fault(parse_moment("postgres.commit#2:after"), "kill")])
    gate.restarted()
    assert commit_of(gate, 1, 1) == []
    assert commit_of(gate, 2, 1) == ["postgres.commit#2:after"]


@pytest.mark.parametrize(
    ("then", "met"),
    [
        # Of the one that lives on both before and after the other's death count.
        ("postgres.commit{replica=1}#2:after", [[], ["postgres.commit{replica=1}#2:after"]]),
        ("postgres.commit{replica=2}#1:after", [["postgres.commit{replica=2}#1:after"], []]),
        ("postgres.commit#1:after", [["postgres.commit#1:after"], []]),
    ],
)
def test_the_numbers_of_a_survivor_go_on(then: str, met: list[list[str]]) -> None:
    first = "postgres.commit{replica=2}#1:after"
    gate = Gate([Fault(parse_moment(text), "kill") for text in (first, then)])
    gate.restarted()
    assert commit_of(gate, 1, 1) == []
    assert commit_of(gate, 2, 1) == [first]
    gate.restarted(2)
    assert [commit_of(gate, 2, 1), commit_of(gate, 1, 2)] == met
