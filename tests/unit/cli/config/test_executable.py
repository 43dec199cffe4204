"""Where programs are."""

from pathlib import Path

import pytest

from killpoint.cli.config.executable import NoSuchProgram, find_executable


def program(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_a_name_is_sought_on_the_path_of_the_environment(tmp_path: Path) -> None:
    own = program(tmp_path / "bin" / "own")
    assert find_executable("own", tmp_path, {"PATH": f"/nowhere:{own.parent}"}) == str(own)
    with pytest.raises(NoSuchProgram, match='"own" is not on the PATH'):
        find_executable("own", tmp_path, {"PATH": "/nowhere"})


def test_a_slash_means_the_configurations_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = program(tmp_path / "project" / "bin" / "own")
    monkeypatch.chdir(tmp_path)
    assert find_executable("bin/own", tmp_path / "project", {}) == str(own)
    assert find_executable(str(own), tmp_path, {}) == str(own)
    with pytest.raises(NoSuchProgram, match='"bin/own" does not exist'):
        find_executable("bin/own", tmp_path, {})


def test_a_link_keeps_its_name(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(program(tmp_path / "own"))
    assert find_executable("./link", tmp_path, {}) == str(link)


def test_a_file_without_the_right_to_run_has_its_cure(tmp_path: Path) -> None:
    program(tmp_path / "own", mode=0o644)
    with pytest.raises(NoSuchProgram) as caught:
        find_executable("./own", tmp_path, {})
    assert caught.value.remedy == f"chmod +x {tmp_path}/own"
