"""Where a connection stands in its transactions: the table, numbers, and the server's word."""

from itertools import product

from killpoint.faults.wire.postgres_transaction import TABLE, Act, Said, State, Transactions


def test_the_table_is_whole() -> None:
    assert set(TABLE) == set(product(State, Act))


def test_a_transaction_keeps_its_number_until_it_ends() -> None:
    transactions = Transactions()
    asked = [transactions.ask(act) for act in (Act.BEGIN, Act.WRITE, Act.END_TURN, Act.COMMIT)]
    assert asked == [(Said.BEGIN, 1), (Said.WRITE, 1), (Said.NOTHING, 1), (Said.COMMIT, 1)]
    assert transactions.number == 0
    assert transactions.ask(Act.WRITE) == (Said.WRITE, 2)
    assert transactions.ask(Act.END_TURN) == (Said.AUTO_COMMIT, 2)
    assert transactions.own_number() == 3


def test_chain_begins_the_next_only_inside_a_block() -> None:
    transactions = Transactions()
    assert transactions.ask(Act.COMMIT, chain=True) == (Said.COMMIT, 0)
    assert not transactions.in_block
    transactions.ask(Act.BEGIN)
    assert transactions.ask(Act.ROLLBACK, chain=True) == (Said.ROLLBACK, 1)
    assert (transactions.state, transactions.number) == (State.OPEN, 2)


def test_an_error_fails_the_block_it_happened_in() -> None:
    transactions = Transactions()
    transactions.ask(Act.BEGIN)
    transactions.fail(1, in_block=True, asking=False)
    assert transactions.ask(Act.COMMIT) == (Said.ROLLBACK, 1)


def test_an_error_of_a_transaction_that_is_over_changes_nothing() -> None:
    transactions = Transactions()
    for act in (Act.BEGIN, Act.COMMIT, Act.BEGIN):
        transactions.ask(act)
    transactions.fail(1, in_block=True, asking=False)
    assert (transactions.state, transactions.number) == (State.OPEN, 2)


def test_an_error_in_an_open_pipeline_ends_what_was_only_implied() -> None:
    transactions = Transactions()
    transactions.ask(Act.WRITE)
    transactions.fail(1, in_block=False, asking=True)
    assert transactions.ask(Act.END_TURN) == (Said.NOTHING, 0)


def test_the_servers_word_wins() -> None:
    transactions = Transactions()
    transactions.ask(Act.BEGIN)
    transactions.heard("I", 0)
    assert not transactions.in_block
    transactions.heard("T", 0)
    assert (transactions.state, transactions.number) == (State.OPEN, 2)
    transactions.heard("E", 1)
    assert (transactions.state, transactions.number) == (State.FAILED, 1)


def test_a_status_that_is_none_changes_nothing() -> None:
    transactions = Transactions()
    transactions.ask(Act.BEGIN)
    transactions.heard("?", 0)
    assert (transactions.state, transactions.number) == (State.OPEN, 1)
