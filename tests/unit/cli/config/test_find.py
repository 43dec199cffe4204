"""Which file is the configuration."""

from pathlib import Path

import pytest

from killpoint.cli.config.find import find_configuration
from killpoint.cli.config.problem import ConfigError


def test_the_nearest_one_upwards(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = folder / "src" / "deep"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert find_configuration() == folder / "killpoint.toml"
    (folder / "src" / "killpoint.toml").touch()
    assert find_configuration() == folder / "src" / "killpoint.toml"


def test_the_repositorys_root_is_the_last(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder / "repository"
    (root / "src").mkdir(parents=True)
    (root / ".git").touch()  # a file in worktrees
    monkeypatch.chdir(root / "src")
    with pytest.raises(ConfigError) as caught:
        find_configuration()
    assert str(caught.value) == (
        "error: no killpoint.toml, and no pyproject.toml with [tool.killpoint], "
        f"in {root}/src or above it, up to {root}\n"
        "  do     killpoint init  writes one"
    )
    (root / "killpoint.toml").touch()
    assert find_configuration() == root / "killpoint.toml"


def test_a_file_or_a_folder_is_taken_as_named(folder: Path) -> None:
    other = folder / "other.toml"
    other.touch()
    assert find_configuration(Path("other.toml")) == other
    assert find_configuration(folder) == folder / "killpoint.toml"


@pytest.mark.parametrize(
    ("given", "named"), [("no.toml", "no.toml"), ("sub", "sub/killpoint.toml")]
)
def test_what_is_named_must_exist(folder: Path, given: str, named: str) -> None:
    (folder / "sub").mkdir()
    with pytest.raises(ConfigError, match=f"^error: {named} does not exist\n"):
        find_configuration(Path(given))


def test_a_pyproject_with_the_table_is_one_but_killpoint_toml_goes_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    inner = tmp_path / "service"
    inner.mkdir()
    (inner / "pyproject.toml").write_text("[tool.ruff]\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.killpoint.run]\n", encoding="utf-8")
    monkeypatch.chdir(inner)
    assert find_configuration() == find_configuration(tmp_path) == tmp_path / "pyproject.toml"
    (tmp_path / "killpoint.toml").touch()
    assert find_configuration() == tmp_path / "killpoint.toml"


def test_a_broken_pyproject_that_speaks_of_killpoint_is_found_so_that_it_is_told(
    tmp_path: Path,
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.killpoint\n", encoding="utf-8")
    assert find_configuration(tmp_path) == tmp_path / "pyproject.toml"
    (tmp_path / "pyproject.toml").write_text("[tool.other\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        find_configuration(tmp_path)
