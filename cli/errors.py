"""Errors that a user can mend: what happened, why, what to do, and the exit code.

Counterpart: commands raise `UserError`, the entry point prints it on standard error. Errors of
killpoint's own are not among them.
"""

from collections.abc import Iterator

from killpoint.cli.config.problem import LABEL, ConfigError, Problem
from killpoint.cli.exit_codes import ExitCode, exit_line
from killpoint.cli.report.page import Page


class UserError(Exception):
    """An end with a reason. `why` and `do` may have several lines; None leaves the part out."""

    def __init__(
        self,
        what: str,
        why: str | None = None,
        do: str | None = None,
        exit_code: ExitCode = ExitCode.USAGE,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.do = do
        self.exit_code = exit_code


def error_lines(error: UserError, page: Page) -> list[str]:
    """The error as it is printed, at most `page.width` columns, the exit line last."""
    lines = page.fold(error.what, "error: ", "       ")
    for label, text in (("why", error.why), ("do", error.do)):
        lines += page.fold(text, f"  {label:<{LABEL}}") if text else []
    return [*lines, page.clean(exit_line(error.exit_code))]


def problem_lines(error: ConfigError, page: Page) -> list[str]:
    """Every problem of a configuration, at most `page.width` columns, the exit line last."""
    lines = [line for problem in error.problems for line in _problem(problem, page)]
    return [*lines, page.clean(exit_line(ExitCode.USAGE))]


def _problem(problem: Problem, page: Page) -> Iterator[str]:
    yield from page.fold(problem.placed, "error: ")
    for hint in problem.hints:
        label = hint[:LABEL] if hint.split(" ", 1)[0] in ("why", "do") else ""
        yield from page.fold(hint.removeprefix(label), f"  {label}")
