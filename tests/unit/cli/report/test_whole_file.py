"""Files are whole or not there, and what cannot be written is told before anything starts."""

from pathlib import Path

import pytest

from killpoint.cli.errors import UserError
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.whole_file import check_writable, write_whole


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text("old and longer", encoding="utf-8")
    write_whole(path, "caf\u00e9 \udc80")
    assert path.read_bytes() == "caf\u00e9 ".encode() + b"\\udc80"
    assert list(tmp_path.iterdir()) == [path]


def test_it_has_the_rights_of_any_new_file(tmp_path: Path) -> None:
    usual, written = tmp_path / "usual", tmp_path / "written"
    usual.touch()
    write_whole(written, "")
    assert written.stat().st_mode == usual.stat().st_mode


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError) as caught:
        write_whole(tmp_path / "folder", "text")
    assert caught.value.exit_code is ExitCode.USAGE
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("name", ["missing/result.json", "folder"])
def test_a_place_that_cannot_be_written_to_is_known_beforehand(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match="cannot write"):
        check_writable(tmp_path / name)


def test_a_place_that_can_be_written_to(tmp_path: Path) -> None:
    check_writable(tmp_path / "result.json")
    assert list(tmp_path.iterdir()) == []
