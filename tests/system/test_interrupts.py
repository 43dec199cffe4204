"""Ctrl-C, SIGTERM and SIGKILL of a real killpoint at five moments, and failures inside.

Afterwards nothing of it is left: no process, no listening socket, no folder. After a SIGKILL the
folder goes with the next start. The moments are seen, never slept for.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from killpoint.cli.init import write_project
from killpoint.compose.process_tree import LinuxProcesses
from killpoint.compose.run_folder import RunFolder
from tests.support.running import MAIN, Running

TARGET = "counter.py"
Moment = Callable[[Running], bool]


def stack_starts(run: Running) -> bool:
    return run.program("kafka.Kafka") is not None


def first_clean_run(run: Running) -> bool:
    return run.evidence("clean-1", "target.log")


def before_the_kill(run: Running) -> bool:
    return run.evidence("S01", "target.log")


class AtTheKill:
    """The target of the first scenario has been killed, and is about to be started again."""

    def __init__(self) -> None:
        self._first: int | None = None

    def __call__(self, run: Running) -> bool:
        if not before_the_kill(run):
            return False
        target = run.program(TARGET)
        if self._first is None:
            self._first = target.pid if target else None
            return False
        return target is None or target.pid != self._first


def at_the_end(run: Running) -> bool:
    """The only scenario has been audited and told: what is left is to take the stack down."""
    return "  1/1  postgres.commit#2:after" in run.said


MOMENTS: dict[str, Callable[[], Moment]] = {
    "stack starts": lambda: stack_starts,
    "first clean run": lambda: first_clean_run,
    "before the kill": lambda: before_the_kill,
    "at the kill": AtTheKill,
    "at the end": lambda: at_the_end,
}


@pytest.fixture
def temporary() -> Generator[Path]:
    """Short: a run's folder goes elsewhere where sockets in it would have too long names."""
    with tempfile.TemporaryDirectory(prefix="kp-", dir="/tmp") as folder:
        Path(folder).chmod(0o711)  # Postgres runs as another user where killpoint is root
        yield Path(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(tmp_path)
    return tmp_path


@contextmanager
def running(project: Path, temporary: Path) -> Generator[Running]:
    """`killpoint run` with one scenario: a kill in the middle."""
    arguments = ("--at", "postgres.commit#2:after", "--action", "kill", "--json", "result.json")
    with Running(project, temporary, "run", *arguments) as run:
        yield run


def assert_nothing_left(run: Running) -> None:
    assert run.processes() == []
    assert run.sockets() == []
    assert run.folders() == []


def partial_result(project: Path) -> dict[str, Any] | None:
    path = project / "result.json"
    found: dict[str, Any] | None = json.loads(path.read_bytes()) if path.exists() else None
    return found


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_130_and_leaves_nothing(
    project: Path, temporary: Path, number: signal.Signals, moment: str
) -> None:
    with running(project, temporary) as run:
        run.until(MOMENTS[moment]())
        if number is signal.SIGINT:
            os.killpg(run.process.pid, number)  # as a terminal does
        else:
            run.process.send_signal(number)
        assert run.ended() == 130, run.said
    assert_nothing_left(run)
    assert "Traceback" not in run.said
    assert ("exit 130" in run.said) == (moment == "stack starts")  # else it is on the output
    assert "exception was never retrieved" not in run.said
    result = partial_result(project)
    assert (result is None) == (moment == "stack starts")
    if result is not None:
        assert result["complete"] is False
        assert len(result["scenarios"]) == (moment == "at the end")


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_sigkill_leaves_no_process_and_the_next_start_cleans_up(
    project: Path, temporary: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(project, temporary) as run:
        run.until(MOMENTS[moment]())
        run.process.kill()
        assert run.ended() == -signal.SIGKILL
    run.wait_alone()
    assert run.folders() != []
    if moment == "first clean run":
        command = [sys.executable, "-c", MAIN, "audit"]
        environment = {**os.environ, "TMPDIR": str(temporary)}
        assert subprocess.run(command, cwd=project, env=environment, check=False).returncode == 0
    else:
        monkeypatch.setattr(tempfile, "tempdir", str(temporary))
        RunFolder.clean_dead()
    assert_nothing_left(run)


def three_are_over(run: Running) -> bool:
    return len(re.findall(r"^ +\d+/\d+  ", run.said, re.MULTILINE)) >= 3


def test_what_was_finished_in_all_lanes_is_in_the_result(project: Path, temporary: Path) -> None:
    words = ("run", "--depth", "moments", "--lanes", "2", "--json", "result.json")
    with Running(project, temporary, *words) as run:
        run.until(three_are_over)
        run.process.send_signal(signal.SIGINT)
        assert run.ended() == 130, run.said
    assert_nothing_left(run)
    assert "Traceback" not in run.said
    result = partial_result(project)
    assert result is not None and result["complete"] is False
    scenarios = result["scenarios"]
    assert 3 <= len(scenarios) < result["coverage"]["moments"]
    assert {one["lane"] for one in scenarios} == {1, 2}
    assert all(one["faults"][0]["reached"] for one in scenarios)
    assert [one["id"] for one in scenarios] == sorted(one["id"] for one in scenarios)


def test_a_hail_of_signals_is_one_interruption(project: Path, temporary: Path) -> None:
    with running(project, temporary) as run:
        run.until(first_clean_run)
        run.process.send_signal(signal.SIGHUP)
        while run.process.poll() is None:
            run.process.send_signal(signal.SIGTERM)
            run.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                run.process.wait(0.02)
        assert run.ended() == 130, run.said
    assert_nothing_left(run)
    assert "Traceback" not in run.said


def test_what_it_was_started_to_ignore_it_ignores(project: Path, temporary: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        run = Running(project, temporary, "audit")
    finally:
        signal.signal(signal.SIGHUP, before)
    with run:
        run.until(first_clean_run)
        run.process.send_signal(signal.SIGHUP)
        assert run.ended() == 0, run.said
    assert_nothing_left(run)


@pytest.mark.parametrize("victim", [TARGET, "kafka.Kafka"])
def test_a_failure_inside_is_no_verdict_and_leaves_nothing(
    project: Path, temporary: Path, victim: str
) -> None:
    """The supervisor of the target, or of the servers, is killed from outside."""
    with running(project, temporary) as run:
        run.until(lambda run: run.program(TARGET) is not None)
        seen = run.program(victim)
        assert seen is not None
        supervisor = LinuxProcesses().look(seen.parent)
        assert supervisor is not None
        LinuxProcesses().send(supervisor, signal.SIGKILL)
        assert run.ended() == 4, run.said
    run.wait_alone()
    assert_nothing_left(run)
    assert "error: " in run.said
