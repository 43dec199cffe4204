"""The stack alone: its addresses are told, moments pass on both ways, and nothing is left."""

import asyncio
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest

from killpoint.cli.session.stack_choice import StackWish
from killpoint.cli.session.standing import Door, stand
from tests.support.exact_table import Silence


async def test_what_passes_killpoint_is_told_and_what_goes_past_it_is_not() -> None:
    opened: asyncio.Future[Sequence[Door]] = asyncio.get_running_loop().create_future()
    told: list[str] = []
    standing = asyncio.ensure_future(
        stand(StackWish(), Silence(), opened.set_result, lambda _, moment: told.append(moment))
    )
    try:
        either: set[asyncio.Future[Any]] = {opened, standing}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        kafka, postgres = opened.result()
        assert (kafka.server, postgres.server) == ("kafka", "postgres")
        async with await psycopg.AsyncConnection.connect(postgres.direct) as past:
            await past.execute("create table clicks (code text)")
        assert told == []
        async with await psycopg.AsyncConnection.connect(postgres.through) as through:
            await through.execute("insert into clicks values ('a')")
        assert told[-1] == "postgres.commit#1:after"
    finally:
        standing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await standing
