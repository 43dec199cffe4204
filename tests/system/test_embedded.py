"""The embedded environment as a whole: two at once, and nothing left of either."""

from pathlib import Path

import pytest

from killpoint.compose.embedded import EmbeddedEnvironment
from killpoint.compose.ports import LOOPBACK
from killpoint.faults.environment import Address, Environment, EnvironmentFailed
from tests.support.reading import read_whole
from tests.support.stack import Stack


def working_in(folder: Path) -> list[int]:
    """The processes whose command names `folder`."""
    found: list[int] = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if str(folder).encode() in command:
            found.append(int(process.name))
    return found


async def test_a_second_stack_beside_the_first_and_nothing_left(stack: Stack, name: str) -> None:
    second: Environment = EmbeddedEnvironment()
    try:
        (upstream,) = await second.start([Address(LOOPBACK, stack.lanes[0].proxy.port)])
        assert second.stack == "embedded"
        assert "Kafka 4." in second.description
        assert "Postgres 18." in second.description
        await second.broker.create_topics({name: 1})
        await second.database.create(name)
        assert await read_whole(stack.broker, name) == []
        assert upstream.postgres.path is not None
        folder = Path(upstream.postgres.path).parents[1]
        assert len(working_in(folder)) >= 2
    finally:
        await second.stop()
    assert not folder.exists()
    assert working_in(folder) == []
    await second.stop()


async def test_a_failed_start_says_why_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "killpoint").write_text("in the way", encoding="ascii")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    environment = EmbeddedEnvironment()
    with pytest.raises(EnvironmentFailed, match="XDG_CACHE_HOME"):
        await environment.start([])
    await environment.stop()
    with pytest.raises(RuntimeError, match="not been started"):
        _ = environment.broker


async def test_stop_before_start_does_nothing() -> None:
    await EmbeddedEnvironment().stop()
