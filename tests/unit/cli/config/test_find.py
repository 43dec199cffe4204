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
        f"error: no killpoint.toml in {root}/src or above it, up to {root}\n"
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
