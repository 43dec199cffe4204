"""Which files a target has changed."""

import os
from pathlib import Path

from killpoint.compose.folder_state import changed, folder_state


def test_what_came_went_and_changed_is_told(tmp_path: Path) -> None:
    kept, gone, grown = (tmp_path / name for name in ("kept", "gone", "grown"))
    for path in (kept, gone, grown):
        path.write_text("1")
    before = folder_state(tmp_path)
    gone.unlink()
    grown.write_text("12")
    new = tmp_path / "deep" / "new"
    new.parent.mkdir()
    new.write_text("")
    assert changed(before, folder_state(tmp_path)) == sorted([gone, grown, new])


def test_a_change_of_the_same_size_is_told(tmp_path: Path) -> None:
    path = tmp_path / "state"
    path.write_text("1")
    before = folder_state(tmp_path)
    path.write_text("2")
    os.utime(path, ns=(1, 1))
    assert changed(before, folder_state(tmp_path)) == [path]


def test_caches_and_dependencies_are_left_out(tmp_path: Path) -> None:
    for name in (".killpoint", "__pycache__", "node_modules"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("")
    assert folder_state(tmp_path) == {}


def test_a_folder_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert folder_state(tmp_path / "none") == {}
