"""Layout: a unit test stands where its source file stands, under the same name."""

import ast
import tomllib
from itertools import chain
from pathlib import Path

import killpoint

TOGETHER = {
    "cli/config": "unit/cli/config/test_load.py",
    "cli/guess": "unit/cli/guess/test_origin.py",
    "cli/formats": "unit/cli/formats/test_codec.py",
    "cli/main.py": "unit/cli/commands/test_run.py",
    "cli/commands": "unit/cli/commands/test_run.py",
    "cli/session": "unit/cli/session/test_examination.py",
    "compose/compose_cli.py": "system/test_compose_project.py",
    "compose/compose_facts.py": "system/test_compose_project.py",
    "compose/compose_project.py": "system/test_compose_project.py",
    "compose/compose_server.py": "system/test_compose_project.py",
    "compose/container_processes.py": "system/test_container_target.py",
    "compose/docker_": "system/test_docker_stack.py",
    "compose/group_member.py": "system/test_kafka_control.py",
    "compose/housing.py": "system/test_container_target.py",
    "compose/kafka_": "system/test_kafka_server.py",
    "compose/launch.py": "loopback/test_supervised.py",
    "compose/left_behind.py": "system/test_docker_command.py",
    "compose/log_offsets.py": "system/test_kafka_control.py",
    "compose/postgres_": "system/test_postgres_server.py",
    "compose/preparation.py": "system/test_embedded.py",
    "compose/samples_image.py": "system/test_docker_command.py",
    "compose/shared_memory.py": "system/test_postgres_server.py",
    "compose/topic_metadata.py": "system/test_kafka_control.py",
    "compose/workplace.py": "system/test_postgres_server.py",
    "faults/client_leg.py": "loopback/test_proxy.py",
    "faults/leg.py": "loopback/test_proxy.py",
    "faults/pair.py": "loopback/test_proxy.py",
    "faults/run_record.py": "unit/faults/test_run.py",
    "faults/server_leg.py": "loopback/test_proxy.py",
    "faults/wire/postgres_conversation.py": "unit/faults/test_postgres.py",
    "faults/wire/statement": "unit/faults/test_statements.py",
}
"""Parts that are tested through their whole: how their paths begin, and the tests of the whole."""


def test_every_source_file_has_a_test_of_its_name(root: Path, sources: tuple[Path, ...]) -> None:
    names = {(path.parent.parts, path.stem) for path in _tests(root)}
    untested = [
        str(path)
        for path in sources
        if path.suffix == ".py"
        and path.stem != "__init__"
        and not {"templates", "consumers"} & set(path.parts)
        and _does_something(root / path)
        and not any((parents, f"test_{path.stem}") in names for parents in _places(path))
        and not any(str(path).startswith(start) for start in TOGETHER)
    ]
    assert untested == []


def test_the_tests_of_a_whole_are_there(root: Path, sources: tuple[Path, ...]) -> None:
    assert [test for test in TOGETHER.values() if not (root / "tests" / test).is_file()] == []
    begun = [start for start in TOGETHER if any(str(p).startswith(start) for p in sources)]
    assert begun == list(TOGETHER)


def _tests(root: Path) -> list[Path]:
    folder = root / "tests"
    return [path.relative_to(folder) for path in folder.rglob("test_*.py")]


def _places(path: Path) -> list[tuple[str, ...]]:
    """The folders of tests in which the test of a source file may stand."""
    kinds = [("loopback",), ("property",), ("system",), ("quality",)]
    return [("unit", *path.parent.parts), ("unit", path.parts[0]), *kinds]


def _does_something(path: Path) -> bool:
    """Whether a file has a function with a body: plain data and protocols have none."""
    functions = (
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return any(not isinstance(f.body[-1], ast.Expr) for f in functions)


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
    folder = root / "tests"
    found = [path.relative_to(folder) for path in folder.rglob("__init__.py")]
    assert [path for path in found if path.parts[0] != "projects"] == []


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
