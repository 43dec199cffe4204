"""Exit codes: the six numbers, what each means, and which one a result gives."""

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


def code_for(result: Result) -> ExitCode:
    """Which code a result gives.

    Without a requirement `met` says nothing, and 0 means that every required scenario (or, in an
    audit, every clean run) is conclusive.
    """
    if not result.complete:
        return ExitCode.INTERRUPTED
    if result.met is not None:
        return ExitCode.MET if result.met else ExitCode.NOT_MET
    if result.required is not None or not conclusive(result):
        return ExitCode.INCONCLUSIVE
    return ExitCode.MET


def conclusive(result: Result) -> bool:
    """Whether the run says something: no scenarios, outside an audit, is nothing."""
    if not result.clean_runs or any(run.outcome == "inconclusive" for run in result.clean_runs):
        return False
    if result.bound.faults_per_scenario == 0:
        return True
    required = [scenario for scenario in result.scenarios if scenario.required]
    return bool(required) and all(scenario.outcome != "inconclusive" for scenario in required)


def exit_line(code: ExitCode, meaning: str | None = None) -> str:
    """The last line of everything printed; `meaning` replaces the general words."""
    return f"exit {code.value}   {meaning or code.meaning}"


def meaning_for(result: Result) -> str:
    """What the code of this result means in words that claim no more than it does."""
    code = code_for(result)
    if code is ExitCode.MET and result.required is None:
        return "clean" if result.bound.faults_per_scenario == 0 else "conclusive, nothing required"
    if code is ExitCode.NOT_MET and any(run.outcome != "clean" for run in result.clean_runs):
        return "wrong without any fault"
    if code is ExitCode.NOT_MET and result.required is None:
        return "stuck after a crash"
    return code.meaning
