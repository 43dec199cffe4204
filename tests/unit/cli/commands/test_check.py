"""`killpoint check`: what is wrong is told, and nothing is started or written."""

from pathlib import Path

import pytest

from killpoint.cli.commands.check import check
from killpoint.cli.config.problem import ConfigError
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.init import write_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no.sock")
    return tmp_path


def test_a_right_project_is_planned(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(project.rglob("*"))
    check(None, "embedded")
    printed = capsys.readouterr().out
    assert "check       " in printed and "plan        2 clean runs, then" in printed
    assert sorted(project.rglob("*")) == before


def test_an_engine_that_does_not_answer_is_the_environments_failure(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(None, "docker") is ExitCode.ENVIRONMENT
    assert "missing     Docker: " in capsys.readouterr().out


def test_a_wrong_configuration_is_told_as_everywhere(project: Path) -> None:
    (project / "schema.sql").unlink()
    with pytest.raises(ConfigError, match="names a file that does not exist"):
        check(None, None)
