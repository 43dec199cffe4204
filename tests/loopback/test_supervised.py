"""Trees of real processes under a real supervisor."""

import asyncio
import os
import platform
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from killpoint.compose.process_tree import (
    RUN_VARIABLE,
    STOPPED,
    LinuxProcesses,
    Seen,
    below,
    parse_stat,
)
from killpoint.compose.supervised import Process, Supervisor, SupervisorDied
from killpoint.faults.target import Exit, TargetError

LIMIT_SECONDS = 20.0
PROCESSES = LinuxProcesses()

DAEMON = """
import os, signal, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        open(sys.argv[1], "w").close()
        signal.pause()
    os._exit(0)
os.wait()
if "stay" in sys.argv:
    signal.pause()
"""

STORM = """
import os, sys
for _ in range(3):
    os.fork()
open(sys.argv[1], "w").close()
generation = 0
while True:
    generation += 1
    if os.fork():
        os._exit(0)
    if generation % 3 == 0:
        os.setsid()
"""

SLEEPER = "import signal, sys; open(sys.argv[1], 'w').close(); signal.pause()"

Python = Callable[..., Awaitable[Process]]


async def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition with a limit."""
    end = asyncio.get_running_loop().time() + LIMIT_SECONDS
    while not condition():
        assert asyncio.get_running_loop().time() < end, f"it never came true that {what}"
        await asyncio.sleep(0.005)


def tree(root: int) -> list[Seen]:
    return below(root, PROCESSES.snapshot())


def marked(mark: str) -> list[Seen]:
    seen = PROCESSES.snapshot().values()
    return [one for one in seen if PROCESSES.variable(one.pid, RUN_VARIABLE) == mark]


def thread_states(pid: int) -> list[str]:
    stats = Path(f"/proc/{pid}/task").glob("*/stat")
    return [parse_stat(path.read_bytes()).state for path in stats]


@pytest.fixture
async def supervisor() -> AsyncIterator[Supervisor]:
    started = await Supervisor.start()
    yield started
    await started.close()


@pytest.fixture
def python(supervisor: Supervisor, tmp_path: Path) -> Python:
    async def start(code: str, *arguments: str, **env: str) -> Process:
        command = [sys.executable, "-I", "-S", "-c", code, *arguments]
        return await supervisor.spawn(command, env=env, cwd=tmp_path, log=tmp_path / "log")

    return start


async def test_an_exit_code_is_reported(python: Python) -> None:
    process = await python("raise SystemExit(7)")
    assert await process.wait() == Exit(7)
    assert process.exit == Exit(7)


async def test_a_signal_is_reported(python: Python) -> None:
    process = await python("import signal; signal.pause()")
    assert process.exit is None
    await process.signal(signal.SIGKILL)
    assert await process.wait() == Exit(None, signal.SIGKILL)


async def test_a_program_that_ends_at_once(supervisor: Supervisor, tmp_path: Path) -> None:
    for _ in range(20):
        env = {"PATH": os.environ["PATH"]}
        process = await supervisor.spawn(["true"], env=env, cwd=tmp_path, log=tmp_path / "log")
        assert await process.wait() == Exit(0)
        await process.kill()
        await process.signal(signal.SIGTERM)


async def test_environment_folder_input_and_outputs(python: Python, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("before\n")
    code = (
        "import os, sys; print(sorted(os.environ), os.getcwd(), repr(sys.stdin.read()), flush=True)"
        "; print(os.getsid(0) == os.getpid(), file=sys.stderr)"
    )
    process = await python(code, ONE="1", LC_ALL="C.UTF-8")
    assert await process.wait() == Exit(0)
    names = ["KILLPOINT_RUN", "LC_ALL", "ONE"]
    assert (tmp_path / "log").read_text() == f"before\n{names} {tmp_path} ''\nTrue\n"


C_LIBRARY = 1 << 31 | 1 << 32
"""Signals 32 and 33, which glibc keeps for itself: what is inherited of them nobody can change."""


async def test_no_signal_is_ignored_or_blocked(supervisor: Supervisor, tmp_path: Path) -> None:
    process = await supervisor.spawn(
        ["/bin/sh", "-c", "exec grep -E '^Sig(Blk|Ign)' /proc/self/status"],
        env={"PATH": os.environ["PATH"]},
        cwd=tmp_path,
        log=tmp_path / "log",
    )
    assert await process.wait() == Exit(0)
    blocked, ignored = (int(one, 16) for one in (tmp_path / "log").read_text().split()[1::2])
    assert (blocked & ~C_LIBRARY, ignored & ~C_LIBRARY) == (0, 0)


async def test_freeze_and_thaw_reach_a_daemon(
    supervisor: Supervisor, python: Python, tmp_path: Path
) -> None:
    ready = tmp_path / "ready"
    process = await python(DAEMON, str(ready), "stay")
    await until(ready.exists, "the daemon runs")
    members = tree(supervisor.pid)
    assert len({seen.session for seen in members}) == len(members) == 2
    assert await supervisor.freeze() == ()
    assert [seen.state for seen in tree(supervisor.pid)] == ["T", "T"]
    await supervisor.thaw()
    await until(lambda: all(one.state == "S" for one in tree(supervisor.pid)), "they go on")
    await supervisor.kill()
    assert tree(supervisor.pid) == []
    assert await process.wait() == Exit(None, signal.SIGKILL)


async def test_a_daemon_whose_starter_has_ended(
    supervisor: Supervisor, python: Python, tmp_path: Path
) -> None:
    ready = tmp_path / "ready"
    process = await python(DAEMON, str(ready))
    assert await process.wait() == Exit(0)
    await until(ready.exists, "the daemon runs")
    assert [seen.parent for seen in tree(supervisor.pid)] == [supervisor.pid]
    await supervisor.kill()
    assert tree(supervisor.pid) == []


@pytest.mark.parametrize("attempt", range(3))
async def test_a_fork_storm_is_frozen_whole(
    supervisor: Supervisor, python: Python, tmp_path: Path, attempt: int
) -> None:
    ready = tmp_path / "ready"
    await python(STORM, str(ready))
    await until(ready.exists, "it rages")
    assert await supervisor.freeze() == ()
    frozen = {seen.pid: PROCESSES.standing(seen) for seen in tree(supervisor.pid) if not seen.dead}
    assert frozen and set(frozen.values()) == {STOPPED}
    await supervisor.thaw()
    await until(lambda: not {s.pid for s in tree(supervisor.pid)} & set(frozen), "it goes on")
    await supervisor.kill()
    assert tree(supervisor.pid) == []


async def test_every_thread_stops(supervisor: Supervisor, python: Python, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    code = (
        "import os, sys, threading\n"
        "def work():\n"
        "    while True: os.stat('/')\n"
        "for _ in range(7): threading.Thread(target=work).start()\n"
        "open(sys.argv[1], 'w').close()\n"
    )
    await python(code, str(ready))
    await until(ready.exists, "the threads run")
    assert await supervisor.freeze() == ()
    (seen,) = tree(supervisor.pid)
    assert thread_states(seen.pid) == ["T"] * 8


async def test_a_parent_in_vfork_does_not_hang_the_freeze(
    supervisor: Supervisor, python: Python, tmp_path: Path
) -> None:
    clone = {"x86_64": 56, "aarch64": 220}.get(platform.machine())
    if clone is None:
        pytest.skip("the number of clone is not known for this machine")
    ready = tmp_path / "ready"
    # clone(CLONE_VFORK | SIGCHLD): the parent waits in the kernel until its child ends.
    code = (
        "import ctypes, signal, sys\n"
        "if ctypes.CDLL(None).syscall(int(sys.argv[2]), 0x4000 | 17, 0, 0, 0, 0) == 0:\n"
        "    open(sys.argv[1], 'w').close()\n"
        "    signal.pause()\n"
    )
    process = await python(code, str(ready), str(clone))
    await until(ready.exists, "the child runs")
    async with asyncio.timeout(3):
        assert await supervisor.freeze() == (process.pid,)
        await supervisor.kill()
    assert tree(supervisor.pid) == []


async def test_a_frozen_process_does_not_run_again_before_it_dies(
    supervisor: Supervisor, python: Python, tmp_path: Path
) -> None:
    # A parent's death sends SIGHUP and SIGCONT to a stopped process group that it orphans.
    ready, ran = tmp_path / "ready", tmp_path / "ran"
    code = (
        "import os, signal, sys\n"
        "if os.fork() == 0:\n"
        "    os.setpgid(0, 0)\n"
        "    signal.signal(signal.SIGHUP, lambda *_: open(sys.argv[2], 'w').close())\n"
        "    open(sys.argv[1], 'w').close()\n"
        "while True: signal.pause()\n"
    )
    for _ in range(10):
        ready.unlink(missing_ok=True)
        await python(code, str(ready), str(ran))
        await until(ready.exists, "the child runs")
        assert await supervisor.freeze() == ()
        await supervisor.kill()
        assert not ran.exists()


async def test_killing_one_process_spares_the_others(
    supervisor: Supervisor, python: Python, tmp_path: Path
) -> None:
    ready, other_ready = tmp_path / "ready", tmp_path / "other"
    process = await python(DAEMON, str(ready), "stay")
    other = await python(SLEEPER, str(other_ready))
    await until(lambda: ready.exists() and other_ready.exists(), "both run")
    await process.kill()
    # The daemon's parent, in the tree's session, had ended before: it belongs to nobody.
    assert process.pid not in {seen.pid for seen in tree(supervisor.pid)}
    assert other.pid in {seen.pid for seen in tree(supervisor.pid)}
    assert other.exit is None


async def test_killing_one_process_takes_its_children_in_other_sessions(
    supervisor: Supervisor, python: Python, tmp_path: Path
) -> None:
    ready = tmp_path / "ready"
    code = f"import os\nif os.fork() == 0:\n    os.setsid()\n    {SLEEPER}\nos.wait()"
    process = await python(code, str(ready))
    await until(ready.exists, "the child runs")
    assert len(tree(supervisor.pid)) == 2
    await process.kill()
    assert tree(supervisor.pid) == []
    assert process.exit == Exit(None, signal.SIGKILL)


async def test_signals_of_a_terminal_do_not_end_the_supervisor(
    supervisor: Supervisor, python: Python
) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(supervisor.pid, number)
    assert await (await python("pass")).wait() == Exit(0)
    assert os.getsid(supervisor.pid) != os.getsid(0)


async def test_close_kills_and_reports(python: Python, supervisor: Supervisor) -> None:
    process = await python("import signal; signal.pause()")
    await supervisor.close()
    await supervisor.close()
    assert await process.wait() == Exit(None, signal.SIGKILL)
    assert PROCESSES.look(process.pid) is None
    with pytest.raises(SupervisorDied, match="closed"):
        await supervisor.kill()


async def test_a_dead_supervisor_is_an_exception_and_leaves_nothing(tmp_path: Path) -> None:
    supervisor = await Supervisor.start(mark := f"test-{tmp_path}")
    command = [sys.executable, "-I", "-S", "-c", DAEMON, str(tmp_path / "ready"), "stay"]
    process = await supervisor.spawn(command, env={}, cwd=tmp_path, log=tmp_path / "log")
    await until((tmp_path / "ready").exists, "the daemon runs")
    assert len(marked(mark)) == 3
    waiting = asyncio.create_task(process.wait())
    os.kill(supervisor.pid, signal.SIGKILL)
    async with asyncio.timeout(LIMIT_SECONDS):
        with pytest.raises(SupervisorDied, match="SIGKILL"):
            await waiting
        assert marked(mark) == []
        with pytest.raises(SupervisorDied):
            await supervisor.freeze()
        assert not supervisor.alive
        await supervisor.close()


async def test_a_request_under_way_when_the_supervisor_dies(tmp_path: Path) -> None:
    supervisor = await Supervisor.start()
    os.kill(supervisor.pid, signal.SIGSTOP)
    asking = asyncio.create_task(supervisor.freeze())
    await asyncio.sleep(0)
    os.kill(supervisor.pid, signal.SIGKILL)
    with pytest.raises(SupervisorDied):
        await asyncio.wait_for(asking, LIMIT_SECONDS)
    await supervisor.close()


PARENT = """
import asyncio, pathlib, sys
from killpoint.compose.supervised import Supervisor

async def main():
    mark, folder, daemon, frozen = sys.argv[1:5]
    here = pathlib.Path(folder)
    supervisor = await Supervisor.start(mark)
    command = [sys.executable, "-I", "-S", "-c", daemon, str(here / "ready"), "stay"]
    await supervisor.spawn(command, env={}, cwd=here, log=here / "log")
    while not (here / "ready").exists():
        await asyncio.sleep(0.005)
    if frozen == "frozen":
        await supervisor.freeze()
    print("ready", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.parametrize("state", ["running", "frozen"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_nothing_outlives_a_parent_that_is_killed(
    tmp_path: Path, state: str, number: int
) -> None:
    mark = f"test-{tmp_path}"
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PARENT, mark, str(tmp_path), DAEMON, state),
        stdout=asyncio.subprocess.PIPE,
    )
    assert parent.stdout is not None
    assert await asyncio.wait_for(parent.stdout.readline(), LIMIT_SECONDS) == b"ready\n"
    assert len(marked(mark)) == 3
    parent.send_signal(number)
    assert await parent.wait() == -number
    await until(lambda: marked(mark) == [], "nothing is left")


async def test_a_command_that_is_not_there(supervisor: Supervisor, tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="no program `nothing-of-that-name` on PATH"):
        await supervisor.spawn(
            ["nothing-of-that-name"], env={"PATH": "/bin"}, cwd=tmp_path, log=tmp_path / "log"
        )
    with pytest.raises(TargetError, match=r"missing\.sh does not exist"):
        await supervisor.spawn(["./missing.sh"], env={}, cwd=tmp_path, log=tmp_path / "log")
    with pytest.raises(TargetError, match="empty"):
        await supervisor.spawn([], env={}, cwd=tmp_path, log=tmp_path / "log")
    assert tree(supervisor.pid) == []


@pytest.mark.parametrize(
    ("content", "mode", "message"),
    [
        ("#!/bin/sh\n", 0o644, "not executable. Run `chmod"),
        ("#!/nowhere/sh\n", 0o755, "interpreter in the first line"),
        ("no program", 0o755, "is no program"),
    ],
)
async def test_a_file_that_cannot_be_executed(
    supervisor: Supervisor, tmp_path: Path, content: str, mode: int, message: str
) -> None:
    program = tmp_path / "program"
    program.write_text(content)
    program.chmod(mode)
    with pytest.raises(TargetError, match=message):
        await supervisor.spawn(["./program"], env={}, cwd=tmp_path, log=tmp_path / "log")


async def test_a_missing_folder_and_a_missing_log_folder(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(TargetError, match=r"`/bin/true`: the folder .*missing does not exist"):
        await supervisor.spawn(["/bin/true"], env={}, cwd=missing, log=tmp_path / "log")
    with pytest.raises(TargetError, match=r"its log .*missing/log does not exist"):
        await supervisor.spawn(["/bin/true"], env={}, cwd=tmp_path, log=missing / "log")
    with pytest.raises(TargetError, match="zero byte"):
        await supervisor.spawn(["/bin/true", "\0"], env={}, cwd=tmp_path, log=tmp_path / "log")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change the user")
async def test_another_user(supervisor: Supervisor, tmp_path: Path) -> None:
    process = await supervisor.spawn(
        ["/bin/sh", "-c", "id -u; id -g; id -G"],
        env={"PATH": "/usr/bin:/bin"},
        cwd=Path("/"),
        log=tmp_path / "log",
        user=(65534, 65533),
    )
    assert await process.wait() == Exit(0)
    assert (tmp_path / "log").read_text() == "65534\n65533\n65533\n"


async def test_everything_started_is_recorded(tmp_path: Path) -> None:
    recorded: list[tuple[int, int]] = []
    supervisor = await Supervisor.start("mark", lambda pid, start: recorded.append((pid, start)))
    process = await supervisor.spawn(["/bin/cat"], env={}, cwd=tmp_path, log=tmp_path / "log")
    assert [pid for pid, _ in recorded] == [supervisor.pid, process.pid]
    seen = PROCESSES.look(supervisor.pid)
    assert seen is not None and recorded[0][1] == seen.start
    await supervisor.close()
