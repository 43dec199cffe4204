"""One real stack for all quality tests. EVERY_MOMENT=1 in the environment sweeps all moments."""

import os
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from tests.support.exact_table import Silence
from tests.support.planted_runs import Examiner


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def stack() -> AsyncIterator[Stack]:
    async with opened_stack(1, Silence()) as stack:
        yield stack


@pytest.fixture(scope="session")
def examiner(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Examiner:
    return Examiner(stack, tmp_path_factory.mktemp("evidence"))


@pytest.fixture(scope="session")
def every_moment() -> bool:
    return bool(os.environ.get("EVERY_MOMENT"))
