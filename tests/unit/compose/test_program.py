"""A program that is run to its end: its output, its failure, and nothing of it left behind."""

import asyncio
import sys
from pathlib import Path

import pytest

from killpoint.compose import program
from killpoint.compose.program import ProgramFailed, run_filter, run_program

LIMIT_SECONDS = 10.0


async def run_script(script: str, folder: Path, **environment: str) -> str:
    async with asyncio.timeout(LIMIT_SECONDS):
        return await run_program((sys.executable, "-c", script), environment, folder)


async def test_both_outputs_are_returned_in_their_order(tmp_path: Path) -> None:
    script = "import sys; print('out', flush=True); print('error', file=sys.stderr)"
    assert await run_script(script, tmp_path) == "out\nerror\n"


async def test_it_has_its_folder_and_only_its_environment(tmp_path: Path) -> None:
    script = "import os; print(os.getcwd()); print(os.environ['WORD']); print('HOME' in os.environ)"
    assert await run_script(script, tmp_path, WORD="x") == f"{tmp_path}\nx\nFalse\n"


async def test_it_is_given_no_input(tmp_path: Path) -> None:
    with pytest.raises(ProgramFailed, match="EOFError"):
        await run_script("input()", tmp_path)


async def test_a_failure_has_the_code_and_the_last_lines(tmp_path: Path) -> None:
    script = "import sys; [print('line', n) for n in range(100)]; sys.exit(3)"
    with pytest.raises(ProgramFailed) as failure:
        await run_script(script, tmp_path)
    assert str(failure.value).startswith("exit 3: ")
    assert "line 99" in str(failure.value)
    assert "line 50\n" not in str(failure.value)


async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProgramFailed, match=r"`/missing`: /missing does not exist"):
        await run_program(("/missing",), {}, tmp_path)


async def test_one_that_does_not_end_is_killed_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "_LIMIT_SECONDS", 0.5)
    child = "import time; time.sleep(60)"
    script = (
        "import subprocess, sys, pathlib, time; "
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}]); "
        "pathlib.Path('child').write_text(str(child.pid)); time.sleep(60)"
    )
    with pytest.raises(ProgramFailed, match=r"did not end within 0\.5 s"):
        await run_script(script, tmp_path)
    pid = int((tmp_path / "child").read_text(encoding="ascii"))
    async with asyncio.timeout(LIMIT_SECONDS):
        while _lives(pid):  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0.01)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def test_a_filter_reads_its_input_and_only_its_output_is_returned(tmp_path: Path) -> None:
    script = "import sys; sys.stderr.write('aside'); sys.stdout.write(sys.stdin.read().upper())"
    command = (sys.executable, "-c", script)
    async with asyncio.timeout(LIMIT_SECONDS):
        assert await run_filter(command, {}, tmp_path, b"a\nb\n") == b"A\nB\n"


async def test_a_filter_that_fails_tells_its_errors(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "print('half a row'); raise SystemExit('no such rate')")
    with pytest.raises(ProgramFailed, match="exit 1: no such rate"):
        async with asyncio.timeout(LIMIT_SECONDS):
            await run_filter(command, {}, tmp_path, b"")


async def test_a_filter_need_not_read_its_input(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "print(1)")
    async with asyncio.timeout(LIMIT_SECONDS):
        assert await run_filter(command, {}, tmp_path, b"x" * 1_000_000) == b"1\n"
