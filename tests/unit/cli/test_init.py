"""What init writes is ready to be run, and nothing of the user's is overwritten."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from killpoint.cli.config.load import load_project
from killpoint.cli.config.problem import ConfigError
from killpoint.cli.events.origin import events_of
from killpoint.cli.init import template, write_project
from killpoint.cli.session.compensation import could_cancel


def test_what_is_written_loads_without_an_error(tmp_path: Path) -> None:
    paths = write_project(tmp_path / "new")
    names = [str(path.relative_to(tmp_path / "new")) for path in paths]
    assert names == [
        "killpoint.toml",
        "counter.py",
        "schema.sql",
        ".killpoint/killpoint.schema.json",
    ]
    project = load_project(tmp_path / "new")
    (source,) = project.configuration.source
    assert len(events_of(source, project.folder, "seed")) == 12
    assert [check.name for check in project.checks] == ["clicks per link", "amount per link"]
    assert could_cancel(project.checks, events_of(source, project.folder, "seed")) is None


def test_the_first_line_names_the_schema_that_is_written(tmp_path: Path) -> None:
    write_project(tmp_path)
    first = (tmp_path / "killpoint.toml").read_text().splitlines()[0]
    assert first.startswith("#:schema ")
    assert (tmp_path / first.removeprefix("#:schema ")).is_file()


def test_what_stands_in_comments_is_right_as_well(tmp_path: Path) -> None:
    """The settings that are commented out are taken in, without those that exclude others."""
    lines: list[str] = []
    for line in template("killpoint.toml").splitlines():
        setting = line.removeprefix("# ")
        wanted = setting.startswith("[[") or " = " in setting
        excluded = setting.startswith(("events", "produce", "migrate"))
        lines.append(setting if wanted and not excluded else line)
    write_project(tmp_path)
    (tmp_path / "killpoint.toml").write_text("\n".join(lines))
    project = load_project(tmp_path)
    assert project.configuration.target.group == "click-counter"
    names = ["clicks per link", "amount per link", "amount per link, by a program"]
    assert [check.name for check in project.checks] == names
    assert [check.tables for check in project.against] == [("click_counts",)]
    assert project.configuration.scenario[0].name == "deploy in the middle"
    assert project.configuration.run.require == "effectively once"


@pytest.mark.parametrize("name", ["killpoint.toml", "counter.py", "schema.sql"])
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(ConfigError, match=f"{name}: exists already, nothing was written\n  do"):
        write_project(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_the_consumer_starts_and_asks_for_its_addresses(tmp_path: Path) -> None:
    write_project(tmp_path)
    environment = {name: value for name, value in os.environ.items() if name != "KAFKA"}
    command = [sys.executable, "counter.py"]
    ended = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "KeyError: 'KAFKA'" in ended.stderr


def test_the_template_is_no_wider_than_a_screen_needs() -> None:
    text = template("killpoint.toml")
    tomllib.loads(text)
    assert max(map(len, text.splitlines())) <= 120
