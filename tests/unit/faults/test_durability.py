"""What a kill would leave at each frame of a history."""

from killpoint.faults.crash_state import CrashState, Numbers
from killpoint.faults.durability import DurabilityRules, Place, Stop, held_after, places, states_at
from killpoint.faults.events import (
    CommitAnswered,
    CommitAsked,
    EndTxnAnswered,
    EndTxnAsked,
    OffsetCommitAsked,
    ProduceAnswered,
    ProduceAsked,
    ProducerStarted,
    RecordsFetched,
    SequenceMoved,
    TxnOffsetCommitAnswered,
    TxnOffsetCommitAsked,
    WriteAsked,
)
from killpoint.faults.history import Entry
from killpoint.faults.position import Position, Span
from tests.support.histories import KAFKA, POSTGRES, Told, count_then_save


def states(told: Told, rules: DurabilityRules | None = None) -> list[str]:
    """The crash states in their order, repetitions left out."""
    texts = [str(place.state) for place in [*places(told.entries, rules), end(told, rules)]]
    return [text for at, text in enumerate(texts) if at == 0 or texts[at - 1] != text]


def end(told: Told, rules: DurabilityRules | None = None) -> Place:
    """The place after the last frame."""
    last = told.entries[-1]
    return list(places([*told.entries, last], rules))[-1]


def test_a_batch_has_two_states() -> None:
    assert states(count_then_save(batches=2)) == [
        "nothing",
        "transactions 1",
        "offsets clicks-0:3; transactions 1",
        "offsets clicks-0:3; transactions 1–2",
        "offsets clicks-0:6; transactions 1–2",
    ]


def test_a_request_counts_from_where_it_was_asked() -> None:
    told = count_then_save(batches=1)
    found = {type(p.entry.events[0]): p.state for p in places(told.entries)}
    assert found[CommitAsked] == CrashState()
    assert found[CommitAnswered].transactions == Numbers(1)
    assert found[OffsetCommitAsked].saved == ()


def test_what_was_held_did_not_happen() -> None:
    told = count_then_save(batches=1)
    asked = next(i for i, e in enumerate(told.entries) if isinstance(e.events[0], CommitAsked))
    held = range(asked, len(told.entries))
    assert list(places(told.entries, held=held))[-1].state == CrashState()


def test_what_was_refused_or_rolled_back_counts_for_nothing() -> None:
    told = Told()
    told.save(3, taken=False)
    told.work("totals", commit=False)
    told.rollback(1)
    told.work("totals")
    assert states(told) == ["nothing", "transactions 1"]


def test_transactions_of_several_connections_are_told_apart() -> None:
    told = Told()
    first, second = told.begin(connection=1), told.begin(connection=2)
    told.write(first, "totals", connection=1)
    told.write(second, "totals", connection=2)
    told.commit(second, connection=2)
    told.commit(first, connection=1)
    assert states(told) == ["nothing", "transactions 2", "transactions 1–2"]


def test_a_reading_transaction_leaves_nothing() -> None:
    told = Told()
    told.work()
    assert states(told) == ["nothing"]


def test_ignored_tables_are_no_part_of_it() -> None:
    told = Told()
    told.work("heartbeats")
    rules = DurabilityRules(ignore_tables=frozenset({"heartbeats"}))
    assert states(told, rules) == ["nothing"]


def test_a_sequence_survives_a_rollback() -> None:
    told = Told()
    told.work("ledger", "totals", commit=False)
    told.rollback(1)
    rules = DurabilityRules(numbering_tables=frozenset({"ledger"}))
    assert states(told, rules) == ["nothing", "sequence 1"]


def test_a_sequence_asked_by_name_moves() -> None:
    told = Told()
    told.frame(POSTGRES, SequenceMoved())
    assert states(told) == ["nothing", "sequence 1"]


def test_what_a_killed_life_had_held_is_not_there_in_the_next() -> None:
    told = count_then_save(batches=2)
    saved = [e for e in told.entries if isinstance(e.events[0], OffsetCommitAsked)]
    told.restart()
    told.work("totals")
    again = next(e for e in told.entries if e.life == 2 and isinstance(e.events[0], CommitAsked))
    first, second = states_at(told.entries, [Stop(saved[0]), Stop(again)])
    assert str(first.state) == str(second.state) == "transactions 1"
    later, _ = states_at(told.entries, [Stop(again), Stop(again)])
    assert str(later.state) == "offsets clicks-0:6; transactions 1–2"


def test_what_an_offset_passed_was_held_and_the_offset_was_not() -> None:
    told = Told()
    told.work("totals")
    told.fetch(0, 6)
    transaction = told.begin()
    told.write(transaction, "totals")
    told.commit(transaction)
    held = next(e for e in told.entries[::-1] if isinstance(e.events[0], CommitAsked))
    told.save(4)
    passed = told.entries[-1]
    told.save(6)
    (place,) = states_at(told.entries, [Stop(held, passed)])
    assert str(place.state) == "offsets clicks-0:4; transactions 1"
    at, end = told.entries.index(held), len(told.entries)
    assert held_after(told.entries, [Stop(held, passed)]) == {at, at + 1, *range(end - 3, end)}


def test_a_kafka_transaction_is_open_until_it_ends() -> None:
    told = Told()
    one = (Position("clicks", 0, 3),)
    told.frame(KAFKA, ProduceAsked(1, "tx", (Span("out", 0, 0, 2),)))
    told.frame(KAFKA, ProduceAnswered(1, "tx", (Span("out", 0, 0, 2),)))
    told.frame(KAFKA, TxnOffsetCommitAsked(2, "tx", "g", one))
    told.frame(KAFKA, TxnOffsetCommitAnswered(2, "tx", "g", one))
    told.frame(KAFKA, EndTxnAsked(3, "tx", committed=True))
    told.frame(KAFKA, EndTxnAnswered(3, "tx", committed=True))
    assert states(told) == [
        "nothing",
        "produced out-0:2; 2 of them not visible; open in Kafka tx",
        "offsets clicks-0:3; produced out-0:2",
    ]
    last = end(told).state
    assert last.visible == last.log
    assert last.open == ()


def test_a_new_producer_aborts_what_the_old_one_left_open() -> None:
    told = Told()
    told.frame(KAFKA, ProduceAsked(1, "tx", (Span("out", 0, 0, 2),)))
    told.restart()
    told.frame(KAFKA, ProducerStarted("tx", 7, 1))
    state = end(told).state
    assert (state.open, state.visible) == ((), ())
    assert str(state) == "produced out-0:2; 2 of them not visible; producer starts tx:1"


def test_a_produce_that_was_refused_left_no_record() -> None:
    told = Told()
    told.frame(KAFKA, ProduceAsked(1, None, (Span("out", 0, 0, 2),)))
    told.frame(KAFKA, ProduceAnswered(1, None, (), ("NOT_ENOUGH_REPLICAS",)))
    assert states(told) == ["nothing"]


def test_numbers_go_on_in_the_next_life() -> None:
    told = count_then_save(batches=1)
    told.restart()
    told.work("totals")
    assert str(end(told).state) == "offsets clicks-0:3; transactions 1–2"


def test_an_autocommit_counts_its_write_and_its_commit() -> None:
    told = Told()
    told.frame(POSTGRES, WriteAsked(1, 1, frozenset({"totals"})), CommitAsked(2, 1, auto=True))
    told.frame(POSTGRES, CommitAnswered(2, 1, auto=True))
    assert states(told) == ["nothing", "transactions 1"]


def test_the_last_step_is_named() -> None:
    told = count_then_save(batches=1)
    assert [place.last for place in places(told.entries)][-2:] == ["commit of totals", "offset"]


def test_what_a_survivor_says_after_the_death_of_another_is_done() -> None:
    fetch, write = RecordsFetched(1, (Span("clicks", 0, 0, 3),)), WriteAsked(1, 1, frozenset())
    commit = CommitAsked(2, 1, auto=False)
    begun = [Entry(0.0, 1, POSTGRES, r, (write,), replica=r) for r in (1, 2)]
    met = Entry(0.0, 1, KAFKA, 1, (fetch,), replica=1)
    after = [Entry(0.0, 1, POSTGRES, r, (commit,), replica=r) for r in (1, 2)]
    last = Entry(0.0, 2, KAFKA, 3, (fetch,), replica=1)
    entries = [*begun, met, *after, last]
    rules = DurabilityRules(one_dies=True)
    assert held_after(entries, [Stop(entries[2])], one_dies=True) == {2, 3}
    assert held_after(entries, [Stop(entries[2])]) == {2, 3, 4}
    (_, at_last) = states_at(entries, [Stop(met), Stop(last)], rules)
    assert at_last.state.transactions == Numbers(0, (2,))
