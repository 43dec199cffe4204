import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from killpoint.compose.process_tree import RUN_VARIABLE, LinuxProcesses
from killpoint.compose.strays import kill_left_behind, kill_orphaned

PROCESSES = LinuxProcesses()

# A daemon that is below nobody of ours any more; prints its pid.
DAEMON = (
    "import os, signal, sys\n"
    "if os.fork() == 0:\n"
    "    os.setsid()\n"
    "    print(os.getpid(), flush=True)\n"
    "    os.close(1)\n"
    "    signal.pause()\n"
)


def daemon(mark: str) -> tuple[int, int]:
    command = [sys.executable, "-I", "-S", "-c", DAEMON]
    said = subprocess.run(command, env={RUN_VARIABLE: mark}, stdout=subprocess.PIPE, check=True)
    seen = PROCESSES.look(int(said.stdout))
    assert seen is not None
    return seen.pid, seen.start


def lives(pid: int) -> bool:
    seen = PROCESSES.look(pid)
    return seen is not None and not seen.dead


@pytest.fixture
def stray(request: pytest.FixtureRequest) -> Iterator[tuple[int, int]]:
    pid, start = daemon(request.node.name)
    yield pid, start
    seen = PROCESSES.look(pid)
    if seen is not None and seen.start == start:
        PROCESSES.send(seen, signal.SIGKILL)


def test_an_orphan_with_the_mark(stray: tuple[int, int], request: pytest.FixtureRequest) -> None:
    assert kill_orphaned(PROCESSES, [], "another mark") == []
    assert lives(stray[0])
    assert kill_orphaned(PROCESSES, [], request.node.name) == []
    assert not lives(stray[0])


def test_what_is_below_us_has_a_supervisor() -> None:
    mark = f"below-{os.getpid()}"
    with subprocess.Popen(["/bin/sleep", "60"], env={RUN_VARIABLE: mark}) as process:
        kill_orphaned(PROCESSES, [], mark)
        assert process.poll() is None
        process.kill()


def test_all_three_proofs_are_needed(
    stray: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    pid, start = stray
    mark = request.node.name
    for recorded, run in (([], mark), ([(pid, start + 1)], mark), ([stray], "another mark")):
        assert kill_left_behind(PROCESSES, recorded, run) == []
        assert lives(pid)
    assert kill_left_behind(PROCESSES, [stray], mark) == []
    assert not lives(pid)
