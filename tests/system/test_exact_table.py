"""The measured table, cell by cell, on real servers: what killing at exact moments gives."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from tests.support.exact_table import CONSUMERS, TABLE, ExactTable, Silence, cells


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened() -> AsyncIterator[Stack]:
    async with opened_stack(1, Silence()) as stack:
        yield stack


@pytest.fixture(scope="module")
def table(opened: Stack) -> ExactTable:
    return ExactTable(opened)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("consumer", CONSUMERS)
async def test_every_cell_is_as_measured(opened: Stack, table: ExactTable, consumer: str) -> None:
    consumed = await table.consume(opened.lanes[0], consumer)
    assert [one.cell for one in consumed.shown] == list(cells(consumer))
    assert consumed.wrong == []
    assert not missing_from(consumer) & {at.event for at in consumed.found}


def test_the_table_has_a_kill_for_every_row() -> None:
    for consumer in CONSUMERS:
        rows = {event for event, _ in TABLE}
        assert {cell.at.event for cell in cells(consumer)} == rows - missing_from(consumer)


def missing_from(consumer: str) -> set[str]:
    """The events that the table says this consumer does not have."""
    column = CONSUMERS.index(consumer)
    return {event for (event, _), damage in TABLE.items() if damage[column] is None}
