"""Layout: a unit test stands where its source file stands, under the same name."""

import tomllib
from itertools import chain
from pathlib import Path

import killpoint


def test_every_unit_test_has_its_source_file(root: Path, sources: tuple[Path, ...]) -> None:
    names = {(path.parts[0], path.stem) for path in sources if path.suffix == ".py"}
    tests = sorted((root / "tests" / "unit").glob("*/**/test_*.py"))
    assert tests
    places = [(path.relative_to(root / "tests" / "unit").parts[0], path) for path in tests]
    lost = [
        str(path) for room, path in places if (room, path.stem.removeprefix("test_")) not in names
    ]
    assert lost == []


def test_no_folder_of_tests_is_a_package(root: Path) -> None:
    assert list((root / "tests").rglob("__init__.py")) == []


def test_readme_names_the_two_commands(root: Path) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert "make demo" in readme
    assert "make test" in readme


def test_one_version_everywhere(root: Path) -> None:
    with (root / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    assert version == killpoint.__version__
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {version}" in changes


def test_constraints_are_pinned_versions_only(root: Path) -> None:
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    names = [line.split("==")[0].lower() for line in lines]
    assert [line for line in lines if line.count("==") != 1 or "/" in line or " " in line] == []
    assert "killpoint" not in names
    assert len(names) == len(set(names))


def test_every_dependency_is_pinned(root: Path) -> None:
    with (root / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    wanted: list[str] = [*project["dependencies"], *chain.from_iterable(extras.values())]
    pinned = (root / "constraints.txt").read_text(encoding="utf-8").lower().splitlines()
    pins = {line.split("==")[0] for line in pinned}
    assert {line.split(">=")[0].split("[")[0].lower() for line in wanted} <= pins
