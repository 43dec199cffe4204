"""Files that a target changes are found, restored, and told apart by what they hold."""

from pathlib import Path

import pytest

from killpoint.compose import changed_files
from killpoint.compose.changed_files import ChangedFiles


@pytest.fixture
def files(tmp_path: Path) -> ChangedFiles:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "position").write_text("0")
    (folder / "counter.py").write_text("pass")
    found = ChangedFiles(folder, tmp_path / "aside")
    found.keep()
    return found


def test_what_was_changed_made_and_removed_comes_back(files: ChangedFiles, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (folder / "position").write_text("12")
    (folder / "deep").mkdir()
    (folder / "deep" / "new").write_text("n")
    (folder / "counter.py").unlink()
    files.look()
    assert [path.name for path in files.paths] == ["counter.py", "new", "position"]
    assert files.restore() == []
    assert (folder / "position").read_text() == "0"
    assert (folder / "counter.py").read_text() == "pass"
    assert not (folder / "deep" / "new").exists()


def test_what_is_overwritten_is_kept_aside(files: ChangedFiles, tmp_path: Path) -> None:
    (tmp_path / "project" / "position").write_text("an edit")
    files.look()
    files.restore()
    assert (tmp_path / "aside" / "position").read_text() == "an edit"


def test_only_what_the_target_changed_is_restored(files: ChangedFiles, tmp_path: Path) -> None:
    (tmp_path / "project" / "position").write_text("12")
    files.look()
    (tmp_path / "project" / "counter.py").write_text("edited later")
    files.restore()
    assert (tmp_path / "project" / "counter.py").read_text() == "edited later"


def test_the_digest_is_of_what_they_hold(files: ChangedFiles, tmp_path: Path) -> None:
    position = tmp_path / "project" / "position"
    assert files.digests() == ()
    position.write_text("12")
    files.look()
    ((name, twelve),) = files.digests()
    assert name == str(position)
    position.write_text("13")
    assert dict(files.digests())[name] != twelve
    position.unlink()
    assert dict(files.digests())[name] != twelve
    position.write_text("12")
    assert dict(files.digests())[name] == twelve


def test_what_each_run_leaves_in_another_way_is_not_steady(
    files: ChangedFiles, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    for time in ("20:15", "20:16"):
        (folder / "position").write_text("12")
        (folder / "log").write_text(time)
        files.look()
        files.restore()
    assert [path.name for path in files.paths] == ["log", "position"]
    assert files.steady == {str(folder / "position")}


def test_a_file_that_is_only_touched_has_not_changed(files: ChangedFiles, tmp_path: Path) -> None:
    (tmp_path / "project" / "position").write_text("0")
    files.look()
    assert files.paths == []


def test_what_is_too_large_is_told(
    files: ChangedFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changed_files, "FILE_LIMIT", 3)
    large = ChangedFiles(tmp_path / "project", tmp_path / "aside")
    large.keep()
    path = tmp_path / "project" / "counter.py"
    path.write_text("other")
    large.look()
    assert large.restore() == [path]
    assert path.read_text() == "other"


def test_a_file_that_somebody_else_has_open_is_not_the_targets(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    with (folder / "output.txt").open("w") as output:
        files = ChangedFiles(folder, tmp_path / "aside")
        files.keep()
        print("of killpoint", file=output, flush=True)
        (folder / "state.txt").write_text("of the target")
        files.look()
        assert files.paths == [folder / "state.txt"]
        files.restore()
        assert (folder / "output.txt").read_text() == "of killpoint\n"
