import os
from pathlib import Path

import pytest

from killpoint.compose.server_user import link_tree, own_tree, reachable, server_user


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    source = tmp_path / "source"
    (source / "bin").mkdir(parents=True)
    for name, mode in (("open", 0o755), ("closed", 0o700), ("text", 0o600)):
        (source / "bin" / name).write_text(name, encoding="ascii")
        (source / "bin" / name).chmod(mode)
    source.chmod(0o700)
    return source


def nothing(folder: str, names: list[str]) -> set[str]:
    return set()


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


def test_a_twin_can_be_read_by_everybody(tree: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin"
    link_tree(tree, twin, nothing)
    assert modes(twin / "bin") == {"open": 0o755, "closed": 0o755, "text": 0o644}
    assert (twin / "bin" / "closed").read_text(encoding="ascii") == "closed"
    assert twin.stat().st_mode & 0o777 == 0o755


def test_the_original_stays_as_it_was(tree: Path, tmp_path: Path) -> None:
    link_tree(tree, tmp_path / "twin", nothing)
    assert modes(tree / "bin") == {"open": 0o755, "closed": 0o700, "text": 0o600}


def test_files_are_copied_where_links_are_impossible(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: str, target: str) -> None:
        raise OSError("another file system")

    monkeypatch.setattr(os, "link", refuse)
    link_tree(tree, tmp_path / "twin", nothing)
    assert modes(tmp_path / "twin" / "bin")["open"] == 0o755


def test_a_closed_folder_above_makes_it_unreachable(tmp_path: Path) -> None:
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.name.startswith("pytest-"):
            folder.chmod(0o755)
    tmp_path.chmod(0o755)
    assert reachable(inner) == reachable(tmp_path.parent)
    (tmp_path / "outer").chmod(0o700)
    assert not reachable(inner)


def test_an_ordinary_user_runs_servers_as_himself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert server_user() is None


def test_root_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    user = server_user()
    assert user is not None
    assert 0 not in user


def test_owning_without_a_user_does_nothing(tree: Path) -> None:
    before = tree.stat().st_uid
    own_tree(tree, None)
    assert tree.stat().st_uid == before
