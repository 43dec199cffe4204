"""Imports: no room by its bare name, samples that stand alone, pure modules under contract."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOMS = {"cli", "faults", "checks", "compose"}
PURE = "pure modules: events in, commands out"


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, and `module.name` for each name it imports from one."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def top(name: str) -> str:
    return name.partition(".")[0]


def test_no_room_is_imported_by_its_bare_name(files: tuple[Path, ...]) -> None:
    programs = [path for path in files if path.suffix == ".py"]
    assert programs
    bare = [f"{path}: {name}" for path in programs for name in imported(path) if top(name) in ROOMS]
    assert bare == []


def test_samples_know_nothing_of_killpoint(root: Path) -> None:
    folder = root / "compose" / "consumers"
    samples = [path for path in folder.glob("*.py") if path.stem not in {"__init__", "catalogue"}]
    assert len(samples) == 7
    assert [path for path in samples if "killpoint" in map(top, imported(path))] == []


def test_every_pure_module_of_faults_is_under_the_contract(root: Path) -> None:
    """A module that imports nothing impure, directly or through others, has to stay so."""
    contract = pure_contract(root)
    forbidden = set(contract["forbidden_modules"])
    graph = faults_graph(root)
    impure = {name for name, found in graph.items() if forbidden & set(map(top, found))}
    while spread := {n for n, found in graph.items() if n not in impure and impure & found}:
        impure |= spread
    held = contract["source_modules"]
    pure = (name for name in graph if name not in impure)
    assert [name for name in pure if not any(covers(module, name) for module in held)] == []


def covers(module: str, name: str) -> bool:
    return name == module or name.startswith(module + ".")


def pure_contract(root: Path) -> dict[str, list[str]]:
    with (root / "pyproject.toml").open("rb") as file:
        contracts: list[dict[str, Any]] = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    contract: dict[str, list[str]]
    (contract,) = (contract for contract in contracts if contract["name"] == PURE)
    return contract


def faults_graph(root: Path) -> dict[str, set[str]]:
    """What each module of faults imports; packages themselves are left out."""
    return {
        ".".join(("killpoint", *path.relative_to(root).with_suffix("").parts)): set(imported(path))
        for path in (root / "faults").rglob("*.py")
        if path.name != "__init__.py"
    }
