from pathlib import Path

import pytest

from killpoint.compose.docker_build import build_image, image_name
from killpoint.faults.target import TargetError


def docker(folder: Path, script: str) -> str:
    """A `docker` that does as the script says; returns the PATH that finds it."""
    program = folder / "docker"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


async def test_the_command_builds_under_a_name_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", docker(tmp_path, 'echo "$@" > asked'))
    said: list[str] = []
    name = await build_image(tmp_path, said.append)
    assert name == image_name(tmp_path)
    asked = (tmp_path / "asked").read_text().split()
    assert asked == ["build", "--force-rm", "--tag", name, str(tmp_path)]
    assert len(said) == 1


async def test_a_build_that_fails_shows_the_end_of_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", docker(tmp_path, "echo no such package >&2; exit 1"))
    with pytest.raises(TargetError, match="no such package") as caught:
        await build_image(tmp_path, lambda words: None)
    assert f"docker build {tmp_path}" in str(caught.value)


async def test_without_the_command_nothing_can_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TargetError, match="not on the PATH"):
        await build_image(tmp_path, lambda words: None)


def test_folders_have_names_of_their_own(tmp_path: Path) -> None:
    assert image_name(tmp_path) != image_name(tmp_path / "other")
