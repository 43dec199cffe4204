"""Whether a lost event could hide behind another that is counted twice."""

import json

from killpoint.checks.check import Check
from killpoint.cli.session.compensation import could_cancel
from killpoint.faults.record import Record

CLICKS = Check(
    "clicks", "select value->>'code' as code, count(*) from events group by 1", "select 1"
)
AMOUNTS = Check(
    "amounts",
    "select value->>'code' as code, sum((value->>'amount')::bigint) from events group by 1",
    "select 1",
)
HALF = Check("half", "select 'all', count(*) from events where value->>'code' = 'a'", "select 1")


def clicks(*pairs: tuple[str, int]) -> list[Record]:
    return [
        Record("clicks", 0, number, None, json.dumps({"code": code, "amount": amount}).encode())
        for number, (code, amount) in enumerate(pairs)
    ]


def test_two_clicks_on_one_key_could_cancel() -> None:
    found = could_cancel([CLICKS], clicks(("a", 1), ("b", 1), ("a", 2)))
    assert found == ("clicks-0@0", "clicks-0@2")


def test_a_key_of_its_own_tells_each_event_apart() -> None:
    assert could_cancel([CLICKS], clicks(("a", 1), ("b", 1), ("c", 1))) is None


def test_one_check_that_tells_them_apart_is_enough() -> None:
    events = clicks(("a", 1), ("a", 2), ("a", 4))
    assert could_cancel([CLICKS, AMOUNTS], events) is None
    assert could_cancel([CLICKS, AMOUNTS], clicks(("a", 1), ("a", 1))) is not None


def test_events_that_add_nothing_hide_nothing() -> None:
    assert could_cancel([HALF], clicks(("b", 1), ("b", 2), ("a", 1))) is None


def test_a_check_that_fails_accuses_nobody() -> None:
    broken = Check("broken", "select error('no') as a, 1", "select 1")
    assert could_cancel([broken], clicks(("a", 1), ("a", 1))) is None


def test_an_event_that_has_no_place_yet_is_told_as_late() -> None:
    late = Record("clicks", -1, -1, None, b'{"code": "a"}')
    assert could_cancel([CLICKS], [*clicks(("a", 1)), late]) == (
        "clicks-0@0",
        "an event of clicks that comes late",
    )
