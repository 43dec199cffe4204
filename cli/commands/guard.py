"""From an exception to what a user reads and the exit code: the one place where errors end."""

import asyncio
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

import typer
from rich.console import Console

from killpoint.cli.config.problem import ConfigError
from killpoint.cli.errors import UserError, error_lines, problem_lines
from killpoint.cli.events.generated import GenerateError
from killpoint.cli.exit_codes import ExitCode, exit_line
from killpoint.cli.report.page import console_for, page_for, show
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.target import TargetError


def guarded(work: Callable[[], ExitCode]) -> NoReturn:
    """Do a command's work and exit with its code; what a user can mend is explained."""
    try:
        code = work()
    except ConfigError as error:
        code = _tell(problem_lines(error, page_for(_stderr())), ExitCode.USAGE)
    except GenerateError as error:
        code = _explain(UserError(str(error)))
    except TargetError as error:
        code = _explain(UserError("the target could not be started", str(error)))
    except EnvironmentFailed as error:
        remedy = "killpoint doctor  says what is missing"
        code = _explain(
            UserError("the environment failed", str(error), remedy, ExitCode.ENVIRONMENT)
        )
    except UserError as error:
        code = _explain(error)
    except (KeyboardInterrupt, asyncio.CancelledError):
        code = _tell([exit_line(ExitCode.INTERRUPTED)], ExitCode.INTERRUPTED)
    except Exception as error:  # never exit 1, Python's own: that would be a verdict
        traceback.print_exc()
        why = f"{type(error).__name__}: {error}"
        remedy = "run it again; if it happens again, report it with the lines above"
        code = _explain(UserError("killpoint failed", why, remedy, ExitCode.ENVIRONMENT))
    raise typer.Exit(code)


def _explain(error: UserError) -> ExitCode:
    console = _stderr()
    return _tell(error_lines(error, page_for(console)), error.exit_code)


def _tell(lines: list[str], code: ExitCode) -> ExitCode:
    show(_stderr(), lines)
    return code


def _stderr() -> Console:
    return console_for(sys.stderr)
