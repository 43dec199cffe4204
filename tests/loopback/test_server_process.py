"""Programs run to their end, or until they are ready, under a real supervisor."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from killpoint.compose.server_process import Program, ended, log_tail, run, spawn, until_ready
from killpoint.compose.supervised import Supervisor
from killpoint.faults.environment import EnvironmentFailed

LIMIT = 20


@pytest_asyncio.fixture
async def supervisor() -> AsyncIterator[Supervisor]:
    started = await Supervisor.start()
    yield started
    await started.close()


def program(folder: Path, script: str, bare: bool = True) -> Program:
    return Program("the server", ["sh", "-c", script], folder, folder / "log", bare=bare)


async def said(text: str) -> str:
    return text


async def never() -> str:
    await asyncio.Event().wait()
    raise AssertionError("an event that nobody sets was set")


async def test_a_program_that_ends_well(supervisor: Supervisor, tmp_path: Path) -> None:
    await run(supervisor, program(tmp_path, "echo done"), LIMIT)
    assert (tmp_path / "log").read_text(encoding="ascii") == "done\n"


async def test_one_that_fails_is_told_with_the_end_of_its_log(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    failing = program(tmp_path, "seq 100; echo the reason >&2; exit 3")
    with pytest.raises(
        EnvironmentFailed, match=r"(?s)the server failed \(exit 3\).*the reason"
    ) as failure:
        await run(supervisor, failing, LIMIT)
    assert "    100\n" in str(failure.value)
    assert "    50\n" not in str(failure.value)


async def test_one_that_does_not_end_is_killed(supervisor: Supervisor, tmp_path: Path) -> None:
    process = await spawn(supervisor, program(tmp_path, "sleep 1000"))
    with pytest.raises(EnvironmentFailed, match="did not end within"):
        await ended(process, program(tmp_path, ""), 0.1)
    assert (await process.wait()).signal == signal.SIGKILL


async def test_a_missing_program_is_told(supervisor: Supervisor, tmp_path: Path) -> None:
    missing = Program("the server", ["/missing/program"], tmp_path, tmp_path / "log")
    with pytest.raises(EnvironmentFailed, match=r"the server: .*/missing/program"):
        await spawn(supervisor, missing)


@pytest.mark.parametrize("bare", [True, False])
async def test_only_what_is_not_bare_has_the_environment(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bare: bool
) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-version")
    asking = program(tmp_path, "echo ${JAVA_TOOL_OPTIONS-none}", bare)
    await run(supervisor, asking, LIMIT)
    expected = "none" if bare else "-version"
    assert (tmp_path / "log").read_text(encoding="ascii").strip() == expected


async def test_ready_gives_what_was_told(supervisor: Supervisor, tmp_path: Path) -> None:
    server = program(tmp_path, "sleep 1000")
    process = await spawn(supervisor, server)
    assert await until_ready(process, server, said("18.4"), LIMIT) == "18.4"


async def test_a_server_that_ends_before_it_is_ready(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    server = program(tmp_path, "echo no room; exit 1")
    process = await spawn(supervisor, server)
    with pytest.raises(EnvironmentFailed, match=r"(?s)ended while it started.*no room"):
        await until_ready(process, server, never(), LIMIT)


async def test_a_server_that_is_never_ready(supervisor: Supervisor, tmp_path: Path) -> None:
    server = program(tmp_path, "sleep 1000")
    process = await spawn(supervisor, server)
    with pytest.raises(EnvironmentFailed, match="was not ready within"):
        await until_ready(process, server, never(), 0.1)


@pytest.mark.parametrize(("content", "expected"), [(b"", "empty"), (None, "no log")])
def test_a_log_without_words(tmp_path: Path, content: bytes | None, expected: str) -> None:
    log = tmp_path / "log"
    if content is not None:
        log.write_bytes(content)
    assert expected in log_tail(log)
