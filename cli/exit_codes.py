"""Exit codes: the six numbers and what each means.

Counterpart: `checks/verdict.py` decides which of the first three a run gives. Nothing is judged
here.
"""

from enum import IntEnum

from killpoint.cli.result import Result


class ExitCode(IntEnum):
    """The number that the process ends with; `meaning` is printed beside it."""

    MET = 0
    NOT_MET = 1
    USAGE = 2
    INCONCLUSIVE = 3
    ENVIRONMENT = 4
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """The number in words."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.MET: "the requirement is met",
    ExitCode.NOT_MET: "the requirement is not met",
    ExitCode.USAGE: "usage or configuration",
    ExitCode.INCONCLUSIVE: "inconclusive",
    ExitCode.ENVIRONMENT: "the environment failed",
    ExitCode.INTERRUPTED: "interrupted",
}


def exit_line(code: ExitCode, meaning: str | None = None) -> str:
    """The last line of everything printed; `meaning` replaces the general words."""
    return f"exit {code.value}   {meaning or code.meaning}"


def meaning_for(result: Result, code: ExitCode) -> str:
    """What the code of a run or an audit means, in words that claim no more than it shows."""
    if code is ExitCode.MET and result.required is None:
        return "clean" if result.bound.faults_per_scenario == 0 else "conclusive, nothing required"
    if code is ExitCode.NOT_MET and any(run.outcome.wrong for run in result.clean_runs):
        return "wrong without any fault"
    if code is ExitCode.NOT_MET and result.required is None:
        return "stuck"
    return code.meaning
