from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from killpoint.compose import java
from killpoint.compose.java import find_java
from killpoint.faults.environment import EnvironmentFailed


@pytest.fixture(autouse=True)
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_spec(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", find_spec)


def runtime(home: Path, version: str | None, says: str = "") -> Path:
    executable = home / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text(f"#!/bin/sh\necho '{says}' >&2\n", encoding="ascii")
    executable.chmod(0o755)
    if version is not None:
        (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return executable


def test_java_home_comes_before_the_path(tmp_path: Path) -> None:
    home = runtime(tmp_path / "home", "21.0.1")
    path = runtime(tmp_path / "path", "25")
    environment = {"JAVA_HOME": str(tmp_path / "home"), "PATH": str(path.parent)}
    found = find_java(environment)
    assert (found.executable, found.version, found.major) == (home, "21.0.1", 21)
    assert not found.makes_aot_cache


def test_one_that_is_too_old_is_passed_over(tmp_path: Path) -> None:
    runtime(tmp_path / "home", "11.0.2")
    path = runtime(tmp_path / "path", "25.0.2")
    environment = {"JAVA_HOME": str(tmp_path / "home"), "PATH": str(path.parent)}
    assert find_java(environment).executable == path
    assert find_java(environment).makes_aot_cache


def test_one_without_a_release_file_is_asked(tmp_path: Path) -> None:
    path = runtime(tmp_path / "path", None, 'openjdk version "17.0.9" 2023-10-17')
    assert find_java({"PATH": str(path.parent)}).version == "17.0.9"


@pytest.mark.parametrize("version", ["1.8.0_392", "16.0.2"])
def test_only_old_ones_are_named_with_the_remedy(tmp_path: Path, version: str) -> None:
    path = runtime(tmp_path / "path", version)
    with pytest.raises(EnvironmentFailed, match="too old") as failure:
        find_java({"PATH": str(path.parent)})
    assert str(path) in str(failure.value)
    assert "killpoint[embedded]" in str(failure.value)


def test_none_at_all_is_told_with_the_remedy() -> None:
    with pytest.raises(EnvironmentFailed, match=f"version {java.OLDEST} or later"):
        find_java({"PATH": ""})
