"""Rows that a target still holds when it looks done: what it writes when it is asked to stop."""

from collections import Counter

import pytest

from killpoint.faults.events import RecordsFetched, WriteAsked
from killpoint.faults.parting import UNNAMED, held_tables, may_hold_rows
from killpoint.faults.position import Span
from killpoint.faults.progress import Life
from killpoint.faults.target import Exit
from killpoint.faults.wire.piece import Piece
from tests.support.fakes import Consumer, World

FETCHED = RecordsFetched(1, (Span("clicks", 0, 0, 6),))


@pytest.mark.parametrize(
    ("rows", "records", "doubtful"),
    [
        (10, 12, True),
        (4, 12, True),
        (12, 12, False),
        (24, 12, False),
        (0, 12, False),
        (3, 0, False),
    ],
)
def test_only_rows_that_do_not_go_with_the_records_are_in_doubt(
    rows: int, records: int, doubtful: bool
) -> None:
    assert (
        may_hold_rows(Life(0.0, rows=rows, fetched_of=Counter({("clicks", 1): records})))
        is doubtful
    )


def write(*tables: str) -> WriteAsked:
    return WriteAsked(1, 1, frozenset(tables))


async def parted(*before: WriteAsked | RecordsFetched, last: WriteAsked | None) -> tuple[str, ...]:
    """What is held by a target that showed some events and writes once more on its way out."""
    world = World([Consumer()])
    watch = world.watched()
    await world.target.start(("counter",), {"DATABASE": "template"})
    for event in before:
        watch.see("postgres", 1, Piece(b"", (event,)))

    async def say_more() -> Exit:
        if last is not None:
            watch.see("postgres", 1, Piece(b"", (last,)))
        return Exit(0)

    world.target.terminated = say_more
    held = await held_tables(world.stage, watch)
    assert "kill" in world.calls
    return held


async def test_a_write_on_the_way_out_to_the_same_table_was_held() -> None:
    assert await parted(FETCHED, write("links"), last=write("links")) == ("links",)
    assert await parted(FETCHED, write("links"), last=write()) == (UNNAMED,)


async def test_who_goes_without_a_word_holds_nothing() -> None:
    assert await parted(FETCHED, write("links"), last=None) == ()


async def test_a_lease_that_is_given_back_is_no_row_of_an_event() -> None:
    assert await parted(write("leases"), FETCHED, write("links"), last=write("leases")) == ()
