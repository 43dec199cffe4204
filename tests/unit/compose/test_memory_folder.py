from pathlib import Path

from killpoint.compose.memory_folder import memory_folder


def test_the_folder_is_there_and_then_gone(tmp_path: Path) -> None:
    with memory_folder(tmp_path, room=1) as folder:
        assert folder is not None
        assert folder.parent == tmp_path
        (folder / "data").mkdir()
    assert list(tmp_path.iterdir()) == []


def test_too_little_room_is_no_folder(tmp_path: Path) -> None:
    with memory_folder(tmp_path, room=2**62) as folder:
        assert folder is None
    assert list(tmp_path.iterdir()) == []


def test_a_missing_place_is_no_folder(tmp_path: Path) -> None:
    with memory_folder(tmp_path / "missing", room=1) as folder:
        assert folder is None
