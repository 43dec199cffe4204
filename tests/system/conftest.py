"""One real stack for all system tests.

Async tests here run in one event loop, the session's, since the stack lives in it (unless they name
a loop themselves). An async fixture needs `@pytest_asyncio.fixture(loop_scope="session")` for that.
"""

import tempfile
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import pytest
import pytest_asyncio

from killpoint.compose.docker_client import Client
from killpoint.compose.embedded import EmbeddedEnvironment
from killpoint.compose.ports import LOOPBACK, Ports
from killpoint.faults.environment import Address
from tests.support.docker import usable_engine
from tests.support.stack import Lane, Stack

LANES = 4
FIRST_START_LIMIT = 300

_names = count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            chosen = any("loop_scope" in mark.kwargs for mark in item.iter_markers("asyncio"))
            if pytest_asyncio.is_async_test(item) and not chosen:
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            if item.get_closest_marker("timeout") is None:
                # The first test waits for what the first start on a machine prepares.
                item.add_marker(pytest.mark.timeout(FIRST_START_LIMIT))


@pytest.fixture(scope="session", autouse=True)
def temporary_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where the runs of this process have their folders, so that they are told from others'."""
    tmp_path_factory.getbasetemp()  # pytest's own stays where it is
    with tempfile.TemporaryDirectory(prefix="kp-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)  # of root, the servers of another user must enter it
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tempfile, "tempdir", folder)
            yield


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def stack() -> AsyncIterator[Stack]:
    environment = EmbeddedEnvironment()
    with Ports(LANES) as reserved:
        proxies = [Address(LOOPBACK, port) for port in reserved.numbers]
        try:
            upstreams = await environment.start(proxies)
            yield Stack(environment, tuple(map(Lane, proxies, upstreams)))
        finally:
            await environment.stop()


@pytest.fixture(scope="session")
def engine() -> Iterator[Client]:
    """A Docker engine that has the images; without one the test is skipped."""
    yield from usable_engine()


@pytest.fixture
def name() -> str:
    """A name that no other test uses, for a topic, a group or a database."""
    return f"test_{next(_names)}"
