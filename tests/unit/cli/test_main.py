"""The entry point: as a process of its own, and the variables of its flags."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest
from typer import Exit
from typer.core import TyperOption
from typer.main import get_command
from typer.testing import CliRunner

from killpoint.cli.commands import run as command
from killpoint.cli.commands.run import RunOptions
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.main import app, guarded, variable_of

PROGRAM = """
import sys
from killpoint.cli.main import main
sys.argv = ["killpoint", "--version"]
try:
    main()
except SystemExit as end:
    assert not end.code
import killpoint.faults.wire.kafka
"""


def test_nothing_is_left_in_the_folder_where_it_is_started(tmp_path: Path) -> None:
    """What kio imports where it is installed would write a folder `.hypothesis` there."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("killpoint ")
    assert list(tmp_path.iterdir()) == []


def test_garbage_is_collected_again_when_a_command_works() -> None:
    seen: list[bool] = []

    def work() -> ExitCode:
        seen.append(gc.isenabled())
        return ExitCode.MET

    gc.disable()  # as the entry point does
    try:
        with pytest.raises(Exit):
            guarded(work)
    finally:
        gc.enable()
        gc.unfreeze()
    assert seen == [True]


def test_each_flag_of_each_command_has_the_variable_of_its_name() -> None:
    commands: dict[str, object] = getattr(get_command(app), "commands", {})
    flags = [
        (flag.envvar, flag.opts[0])
        for one in commands.values()
        for flag in getattr(one, "params", [])
        if isinstance(flag, TyperOption)
    ]
    assert ("KILLPOINT_STACK", "--stack") in flags
    assert ("KILLPOINT_LIMIT", "--limit") in flags
    assert all(variable == variable_of(flag) for variable, flag in flags)


def test_a_variable_is_heeded_and_a_flag_goes_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def work(*options: object) -> ExitCode:
        asked.append(options)
        return ExitCode.MET

    monkeypatch.setattr(command, "run", work)
    variables = {
        "KILLPOINT_AT": "kafka.join:after postgres.commit:after",
        "KILLPOINT_LIMIT": "3",
        "KILLPOINT_REQUIRE": "at least once",
    }
    done = CliRunner().invoke(app, ["run", "--require", "at most once"], env=variables)
    assert done.exit_code == 0, done.output
    ((_, options, *_),) = asked
    assert options == RunOptions(
        at=("kafka.join:after", "postgres.commit:after"), limit=3, require="at most once"
    )
