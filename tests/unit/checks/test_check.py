"""Checks: what is refused before a run, with the place, and the expected totals."""

import pytest

from killpoint.checks.check import Check, CheckError, expected_totals, parse_check
from killpoint.checks.ledger import Ledger
from killpoint.faults.position import Position
from killpoint.faults.record import Record

EXPECTED = "select value->>'code' as code, count(*) as clicks from events group by 1"
ACTUAL = "select code, clicks from click_counts"


def refused(expected: str = EXPECTED, actual: str = ACTUAL) -> CheckError:
    with pytest.raises(CheckError) as caught:
        parse_check(Check("clicks", expected, actual))
    return caught.value


@pytest.mark.parametrize(
    "expected",
    [
        EXPECTED,
        EXPECTED + ";",
        "select count(*) from events",
        "select sum((value->>'amount')::decimal(12, 2)) from events",
        "select key, sum((value->>'amount')::double) from events group by all",
        "with e as (from events) select key, count(*)::utinyint from e group by key",
        "select value->'amount' from events",
        "select null",
        "values (1)",
        "-- the count\nselect count(*) from events -- all",
    ],
)
def test_expected_that_is_taken(expected: str) -> None:
    parse_check(Check("clicks", expected, ACTUAL))


@pytest.mark.parametrize(
    "actual",
    [
        ACTUAL,
        ACTUAL + " ; -- all of them",
        "with c as (select 1) select * from c",
        "values (1)",
        "table click_counts",
        "(select code, 1 from a) union all select code, 2 from b",
        "select 'insert into x' as code, count(*) from deletes",
    ],
)
def test_actual_that_is_taken(actual: str) -> None:
    parse_check(Check("clicks", EXPECTED, actual))


@pytest.mark.parametrize(
    ("expected", "message", "place"),
    [
        ("select 1,\n from from", 'syntax error at or near "from"', (2, 7)),
        ("select 'ö',\n  'ö', nope from events", 'column "nope" not found', (2, 8)),
        ("select count(*) from event", "Table with name event does not exist", (1, 22)),
        ("select sum(value->'a') from events", "No function matches", (1, 8)),
        ("select * from read_csv('x.csv')", "file system operations are disabled", (1, 15)),
        ("", "not 0 statements", None),
        ("select 1; select 2", "not 2 statements", None),
        ("delete from events", "not another kind of statement", None),
        ("select $1::int", "parameter", None),
        ("select count(*), key from events group by key", '"key" is VARCHAR, not a number', None),
        ("select [1] as list", '"list" is INTEGER[], not a number', None),
        ("select interval 1 day as days", '"days" is INTERVAL, not a number', None),
        ("select key = 'a' as same from events", '"same" is BOOLEAN, not a number', None),
    ],
)
def test_expected_that_is_refused(
    expected: str, message: str, place: tuple[int, int] | None
) -> None:
    error = refused(expected=expected)
    assert message in error.message
    assert error.side == "expected"
    assert (error.line, error.column) == (place or (None, None))
    assert str(error).startswith('check "clicks": expected')
    assert "Candidate functions" not in error.message


def test_a_write_hidden_in_expected_is_refused() -> None:
    writing = "with x as (delete from records returning 1 as n) select n from x"
    assert "read-only" in refused(expected=writing).message


@pytest.mark.parametrize(
    ("actual", "message", "place"),
    [
        ("select ö,\n from from x", 'syntax error at or near "from"', (2, 2)),
        ("", "not 0 statements", None),
        ("select 1; select 2", "not 2 statements", None),
        ("insert into x values (1)", "not another kind of statement", None),
        ("with x as (delete from y returning 1) select * from x", "only read", None),
        ("select (with x as (update y set a = 1 returning a) select a from x)", "only read", None),
        ("select 1 into x", "only read", None),
        ("select code, clicks from click_counts for update", "only read", None),
        ("select $1", "parameter", None),
    ],
)
def test_actual_that_is_refused(actual: str, message: str, place: tuple[int, int] | None) -> None:
    error = refused(actual=actual)
    assert message in error.message
    assert error.side == "actual"
    assert (error.line, error.column) == (place or (None, None))


def clicks(*codes: str) -> Ledger:
    values = [b'{"code": "%b"}' % code.encode() for code in codes]
    return Ledger([Record("clicks", 0, at, None, value) for at, value in enumerate(values)])


def test_expected_totals() -> None:
    ledger = clicks("a", "b", "a")
    check = Check("clicks", EXPECTED, ACTUAL)
    assert expected_totals(ledger, check).numbers == {("a",): 2, ("b",): 1}
    before = ledger.before([Position("clicks", 0, 1)])
    assert expected_totals(before, check).numbers == {("a",): 1}
    assert expected_totals(before, check).columns == ("code",)


def test_json_scalars_are_values_and_not_their_json() -> None:
    check = Check("clicks", "select value->'code', count(*) from events group by all", ACTUAL)
    assert expected_totals(clicks("a"), check).numbers == {("a",): 1}


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ("select sum((value->>'code')::int) from events", "Could not convert string 'a'"),
        ("select value->'code' as code from events", 'last column "code" is not a number'),
    ],
)
def test_a_query_that_fails_on_real_events(expected: str, message: str) -> None:
    check = Check("clicks", expected, ACTUAL)
    parse_check(check)
    with pytest.raises(CheckError, match=message) as caught:
        expected_totals(clicks("a"), check)
    assert caught.value.side == "expected"
