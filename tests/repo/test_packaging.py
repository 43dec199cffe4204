"""Wheel and source archive: both hold the rooms once, and one can be made of the other."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


def build(source: Path, target: Path, kind: str) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
    result = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    (archive,) = target.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names in the wheel."""
    return zipfile.ZipFile(build(root, tmp_path_factory.mktemp("wheel"), "wheel")).namelist()


@pytest.fixture(scope="module")
def unpacked(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, unpacked."""
    target = tmp_path_factory.mktemp("sdist")
    # By tar: tarfile wants a filter from 3.12 on, and before 3.11.4 it knows none.
    subprocess.run(["tar", "-xzf", build(root, target, "sdist"), "-C", target], check=True)
    (folder,) = (path for path in target.iterdir() if path.is_dir())
    return folder


def test_wheel_holds_every_file_of_the_rooms_and_nothing_twice(
    wheel: list[str], sources: tuple[Path, ...]
) -> None:
    package = [name for name in wheel if ".dist-info/" not in name]
    rooms = [f"killpoint/{path.as_posix()}" for path in sources]
    assert sorted(package) == sorted([*rooms, "killpoint/__init__.py", "killpoint/py.typed"])


def test_wheel_has_the_licence_and_the_command(wheel: list[str]) -> None:
    information = [name.partition(".dist-info/")[2] for name in wheel]
    assert "licenses/LICENSE" in information
    assert "entry_points.txt" in information


def test_source_archive_holds_the_rooms_once(unpacked: Path, sources: tuple[Path, ...]) -> None:
    held = {path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()}
    assert set(sources) <= held
    package = {path.name for path in held if path.parts[:2] == ("src", "killpoint")}
    assert package == {"__init__.py", "py.typed"}
    assert {Path("LICENSE"), Path("README.md"), Path("pyproject.toml")} <= held


def test_wheel_made_of_the_source_archive_is_the_same(
    unpacked: Path, wheel: list[str], tmp_path: Path
) -> None:
    again = build(unpacked, tmp_path, "wheel")
    assert sorted(zipfile.ZipFile(again).namelist()) == sorted(wheel)


def test_links_lead_to_the_rooms(root: Path) -> None:
    for room in ("cli", "faults", "checks", "compose"):
        link = root / "src" / "killpoint" / room
        assert link.is_symlink()
        assert link.resolve() == root / room
