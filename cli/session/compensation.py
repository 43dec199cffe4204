"""Compensation: whether a lost event could hide behind another that is counted twice.

Where two events add the same amount to the same key in every check, losing one and counting the
other twice leaves the totals right. Found by asking each check for its totals over one event alone.
"""

from collections.abc import Sequence
from typing import Final

from killpoint.checks.check import Check, CheckError, expected_totals
from killpoint.checks.ledger import Ledger
from killpoint.checks.number import NumberError
from killpoint.checks.totals import TotalsError
from killpoint.faults.record import Record

EVENTS_LIMIT: Final = 100
"""Only the first ones are asked about: a query each, and a pattern shows early."""

Trace = tuple[frozenset[tuple[object, ...]], ...]
"""What one event adds: by check, its keys with their numbers."""


def could_cancel(checks: Sequence[Check], records: Sequence[Record]) -> tuple[str, str] | None:
    """Two events that no check tells apart, as `topic-partition@offset`; None if there are none.

    None as well where a program says what is expected: it would have to be run for each event.
    """
    if any(check.command for check in checks):
        return None
    seen: dict[Trace, Record] = {}
    for record in records[:EVENTS_LIMIT]:
        trace = _trace(checks, record)
        if trace is None or not any(trace):
            continue
        if trace in seen:
            return _name(seen[trace]), _name(record)
        seen[trace] = record
    return None


def _trace(checks: Sequence[Check], record: Record) -> Trace | None:
    ledger = Ledger([record])
    try:
        totals = [expected_totals(ledger, check) for check in checks]
    except (CheckError, TotalsError, NumberError):
        return None
    finally:
        ledger.close()
    return tuple(
        frozenset((*key, number) for key, number in total.numbers.items() if number)
        for total in totals
    )


def _name(record: Record) -> str:
    if record.offset < 0:
        return f"an event of {record.topic} that comes late"
    return f"{record.topic}-{record.partition}@{record.offset}"
