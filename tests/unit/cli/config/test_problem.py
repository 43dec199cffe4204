"""The text of problems."""

from pathlib import Path

import pytest

from killpoint.cli.config.problem import ConfigError, Problem, did_you_mean, do, shown, why


def test_the_place_stands_in_front(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "killpoint.toml"
    assert str(Problem("is bad")) == "error: is bad"
    assert str(Problem("is bad", (), file)) == "error: killpoint.toml: is bad"
    problem = Problem("is bad", (why("it is\nso"), do("mend it")), file, 3)
    assert str(problem) == "error: killpoint.toml:3: is bad\n  why    it is\n  do     mend it"


def test_an_error_shows_all_its_problems() -> None:
    error = ConfigError([Problem("one"), Problem("two")])
    assert str(error) == "error: one\nerror: two"
    assert len(error.problems) == 2


def test_paths_are_relative_to_where_the_user_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / "src" / "deep"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert shown(deep / "a" / "b.toml") == "a/b.toml"
    assert shown(tmp_path / "killpoint.toml") == "../../killpoint.toml"
    assert shown(tmp_path / "other" / "killpoint.toml") == f"{tmp_path}/other/killpoint.toml"


def test_the_nearest_word_is_offered() -> None:
    known = ["events", "topic"]
    assert did_you_mean("event", known, "all: x") == 'did you mean "events"?'.ljust(34) + "all: x"
    assert did_you_mean("zzz", known, "all: x") == "all: x"
