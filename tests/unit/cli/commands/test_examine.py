"""What the commands on a user's file check before anything starts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from killpoint.cli.commands.audit import audit
from killpoint.cli.commands.demo import demo
from killpoint.cli.commands.examine import opened
from killpoint.cli.commands.points import points
from killpoint.cli.commands.run import RunOptions, run
from killpoint.cli.errors import UserError
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.init import write_project


def test_a_report_that_cannot_be_written_stops_every_command_first(tmp_path: Path) -> None:
    write_project(tmp_path)
    json, junit = str(tmp_path / "missing" / "r.json"), tmp_path / "missing" / "r.xml"
    works: tuple[Callable[[], ExitCode], ...] = (
        lambda: run(tmp_path, RunOptions(), json, None),
        lambda: run(tmp_path, RunOptions(), None, junit),
        lambda: points(tmp_path, json),
        lambda: audit(tmp_path, json),
        lambda: demo(json, full=False),
    )
    for work in works:
        with pytest.raises(UserError, match="cannot write"):
            work()


def test_the_configuration_is_named_as_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_project(tmp_path)
    assert opened(tmp_path, None).argument == str(tmp_path)
    monkeypatch.chdir(tmp_path)
    file = opened(None, None)
    assert file.argument is None
    assert file.session("embedded").stack.kind == "embedded"
