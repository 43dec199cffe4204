import os
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from killpoint.compose import run_folder
from killpoint.compose.process_tree import RUN_VARIABLE, LinuxProcesses
from killpoint.compose.run_folder import RunFolder

PREFIX = "killpoint-"


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of this test's own, with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="kpt", dir="/tmp") as name:
        Path(name).chmod(0o711)  # as root, a closed one would not be used
        monkeypatch.setattr(tempfile, "tempdir", name)
        # Other runs on this machine may leave something dead in the real one at any time.
        monkeypatch.setattr(run_folder, "MEMORY", Path(name))
        yield Path(name)


@pytest.fixture
def sleeper() -> Iterator["Sleeper"]:
    made = Sleeper()
    yield made
    made.end()


class Sleeper:
    """Processes that carry the mark of a run, or not."""

    def __init__(self) -> None:
        self._all: list[subprocess.Popen[bytes]] = []

    def start(self, mark: str) -> tuple[int, int]:
        process = subprocess.Popen(["/bin/sleep", "60"], env={RUN_VARIABLE: mark})
        self._all.append(process)
        seen = LinuxProcesses().look(process.pid)
        assert seen is not None
        return process.pid, seen.start

    def alive(self, pid: int) -> bool:
        return next(one for one in self._all if one.pid == pid).poll() is None

    def end(self) -> None:
        for process in self._all:
            process.kill()
            process.wait()


def die(folder: RunFolder) -> Path:
    """What the kernel does to a run that is killed: its lock is freed, its folder stays."""
    program = (
        "import os, sys; from killpoint.compose.run_folder import RunFolder; import tempfile; "
        "tempfile.tempdir = sys.argv[1]; print(RunFolder.create().path, flush=True); os._exit(9)"
    )
    command = [sys.executable, "-c", program, str(folder.path.parent)]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return Path(said.stdout.strip())


@pytest.fixture
def live(parent: Path) -> Iterator[RunFolder]:
    folder = RunFolder.create()
    yield folder
    folder.remove()


@pytest.fixture
def dead(live: RunFolder) -> Path:
    return die(live)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's servers run as another user")
def test_as_root_a_temporary_folder_closed_to_others_is_not_used(parent: Path) -> None:
    parent.chmod(0o700)
    folder = RunFolder.create(PREFIX)
    try:
        assert folder.path.parent == Path("/tmp")
    finally:
        folder.remove()


def test_a_folder_with_a_short_path_and_no_rest(live: RunFolder, parent: Path) -> None:
    assert live.path.parent == parent and live.path.name.startswith(PREFIX)
    assert len(os.fsencode(live.path)) <= 50
    mode = stat.S_IMODE(live.path.stat().st_mode)
    assert mode == (0o711 if os.geteuid() == 0 else 0o700)
    (live.path / "some" / "thing").mkdir(parents=True)
    live.remove()
    live.remove()
    assert list(parent.iterdir()) == []


def test_a_long_temporary_folder_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 60)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    folder = RunFolder.create()
    try:
        assert len(os.fsencode(folder.path)) <= 50
    finally:
        folder.remove()


def test_only_the_dead_are_cleaned(live: RunFolder, dead: Path, parent: Path) -> None:
    assert dead.is_dir()
    assert RunFolder.clean_dead() == [dead]
    assert [path.name for path in parent.iterdir()] == [live.path.name]
    assert RunFolder.clean_dead() == []


def test_what_is_not_ours_stays(parent: Path, dead: Path) -> None:
    names = ["killpoint-", "killpoint-notes", "killpoint-ABCDEFGH", "other-abcdefgh"]
    for name in names:
        (parent / name).mkdir()
    (parent / "killpoint-abcdefgh").write_text("a file")
    (parent / "killpoint-abcdefg1").symlink_to(parent / "killpoint-notes")
    (parent / "killpoint-abcdefg2").mkdir()
    (parent / "killpoint-abcdefg2" / "no lock in here").touch()
    assert RunFolder.clean_dead() == [dead]
    kept = {*names, "killpoint-abcdefgh", "killpoint-abcdefg1", "killpoint-abcdefg2"}
    assert kept <= {path.name for path in parent.iterdir()}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_another_users_folder_stays(dead: Path) -> None:
    os.chown(dead, 65534, 65534)
    assert RunFolder.clean_dead() == []
    assert dead.is_dir()


def test_a_creation_that_was_cut_short(parent: Path) -> None:
    unfinished = parent / ".killpoint-abcdefgh"
    unfinished.mkdir()
    assert RunFolder.clean_dead() == []
    long_ago = time.time() - 3600
    os.utime(unfinished, (long_ago, long_ago))
    assert RunFolder.clean_dead() == [unfinished]


def test_a_removal_that_was_cut_short(parent: Path) -> None:
    (parent / "killpoint-abcdefgh").mkdir()
    assert RunFolder.clean_dead() == [parent / "killpoint-abcdefgh"]


def test_only_proven_processes_of_a_dead_run_are_killed(dead: Path, sleeper: Sleeper) -> None:
    stray = sleeper.start(str(dead))
    another_start = sleeper.start(str(dead))
    another_run = sleeper.start("another")
    not_recorded = sleeper.start(str(dead))
    lines = [stray, (another_start[0], another_start[1] + 1), another_run]
    (dead / "processes").write_text("".join(f"{pid} {start}\n" for pid, start in lines) + "12")
    assert RunFolder.clean_dead() == [dead]
    assert not sleeper.alive(stray[0])
    assert all(sleeper.alive(pid) for pid, _ in (another_start, another_run, not_recorded))


def test_records_are_found_by_the_next_start(live: RunFolder, sleeper: Sleeper) -> None:
    live.record(12, 34)
    live.record(56, 78)
    assert (live.path / "processes").read_text() == "12 34\n56 78\n"
    assert live.mark == str(live.path)
