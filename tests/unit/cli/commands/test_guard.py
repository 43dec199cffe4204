"""Where errors end: each kind with its exit code, and words that say what to do."""

import asyncio
from collections.abc import Callable

import pytest
import typer

from killpoint.cli.commands.guard import guarded
from killpoint.cli.errors import UserError
from killpoint.cli.events.generated import GenerateError
from killpoint.cli.exit_codes import ExitCode
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.target import TargetError


def ended(work: Callable[[], ExitCode]) -> int:
    with pytest.raises(typer.Exit) as end:
        guarded(work)
    return end.value.exit_code


def raising(error: BaseException) -> Callable[[], ExitCode]:
    def work() -> ExitCode:
        raise error

    return work


@pytest.mark.parametrize("code", list(ExitCode))
def test_the_code_of_the_work_is_the_exit_code(code: ExitCode) -> None:
    assert ended(lambda: code) == code


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (UserError("what", "because", "this"), 2, ("what", "because", "this")),
        (UserError("what", exit_code=ExitCode.ENVIRONMENT), 4, ("what",)),
        (GenerateError("value", "no count"), 2, ("no count",)),
        (TargetError("no such program"), 2, ("could not be started", "no such program")),
        (EnvironmentFailed("no Java"), 4, ("environment failed", "no Java", "killpoint doctor")),
        (RuntimeError("a bug"), 4, ("killpoint failed", "RuntimeError: a bug", "Traceback")),
        (KeyboardInterrupt(), 130, ("interrupted",)),
        (asyncio.CancelledError(), 130, ("interrupted",)),
    ],
)
def test_each_error_has_its_code_and_its_words(
    error: BaseException, code: int, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(raising(error)) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert all(word in printed.err for word in words)
    assert f"exit {code}" in printed.err.splitlines()[-1]
