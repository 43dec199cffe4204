"""Names of prepared statements and portals: believed when asked, taken back when refused."""

from killpoint.faults.wire.postgres_extended import Prepared
from killpoint.faults.wire.statement import OTHER, Kind, Statement

WRITE = Statement(Kind.WRITE, frozenset({"clicks"}))
EXECUTE = Statement(Kind.EXECUTE, name="s")


def test_a_portal_keeps_the_statement_it_was_bound_to_and_runs_once() -> None:
    prepared = Prepared()
    prepared.parse("s", (WRITE,))
    prepared.bind("p", "s")
    prepared.parse("s", (OTHER,))
    assert prepared.execute("p") == WRITE
    assert prepared.execute("p") == OTHER


def test_unknown_names_are_of_no_interest() -> None:
    prepared = Prepared()
    prepared.bind("p", "nothing")
    assert prepared.execute("p") == prepared.execute("q") == OTHER
    assert prepared.resolve(EXECUTE) == OTHER


def test_take_back() -> None:
    prepared = Prepared()
    first = prepared.parse("s", (WRITE,))
    second = prepared.parse("s", (OTHER,))
    prepared.take_back(second)
    assert prepared.resolve(EXECUTE) == WRITE
    closed = prepared.close("s")
    assert prepared.resolve(EXECUTE) == OTHER
    prepared.take_back(closed)
    assert prepared.resolve(EXECUTE) == WRITE
    prepared.take_back(first)
    assert prepared.resolve(EXECUTE) == OTHER


def test_ends() -> None:
    prepared = Prepared()
    prepared.parse("s", (WRITE,))
    for portal in "pq":
        prepared.bind(portal, "s")
    prepared.close_portal("p")
    assert prepared.execute("p") == OTHER
    prepared.end_transaction()
    assert prepared.execute("q") == OTHER
    prepared.close_all()
    assert prepared.resolve(EXECUTE) == OTHER


def test_execute_of_an_execute_is_not_followed() -> None:
    prepared = Prepared()
    prepared.parse("s", (EXECUTE,))
    assert prepared.resolve(EXECUTE) == OTHER
    assert prepared.resolve(WRITE) == WRITE
