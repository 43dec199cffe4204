"""`killpoint run`: the main job on the user's own consumer."""

from dataclasses import replace
from pathlib import Path

from killpoint.checks.guarantee import Guarantee
from killpoint.cli.commands.examine import hold, opened
from killpoint.cli.errors import UserError
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.session.session import Session, Wanted
from killpoint.faults.actions import ACTIONS
from killpoint.faults.moment import MomentError
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.scenario import Fault, Scenario


def run(
    config: Path | None,
    at: list[str],
    actions: list[str],
    depth: str,
    limit: int | None,
    require: str | None,
    json: str | None,
    junit: Path | None,
    stack: str | None = None,
) -> ExitCode:
    """Run the scenarios and print the verdict. Raises ConfigError, UserError, EnvironmentFailed."""
    file = opened(config, json, junit)
    subject = file.subject
    if require is not None:
        subject = replace(subject, requirement=_guarantee(require))
    chosen = _actions(actions) or subject.actions
    wanted = Wanted(_given(at, chosen), chosen, limit, depth)
    session = file.session(stack, subject, wanted)
    return file.finish(hold(session, file, Session.sweep))


def _guarantee(text: str) -> Guarantee:
    try:
        return Guarantee(text)
    except ValueError as error:
        known = ", ".join(f'"{g}"' for g in Guarantee)
        raise UserError(f'--require "{text}" is no guarantee', None, f"one of {known}") from error


def _actions(names: list[str]) -> tuple[str, ...]:
    for name in names:
        if name not in ACTIONS:
            known = ", ".join(ACTIONS)
            raise UserError(f'--action "{name}" is no action', None, f"one of {known}")
    return tuple(dict.fromkeys(names))


def _given(at: list[str], actions: tuple[str, ...]) -> tuple[Scenario, ...]:
    """`--at` is one scenario for each moment and action."""
    try:
        moments = [parse_moment(text) for text in at]
    except MomentError as error:
        remedy = "killpoint points  lists the moments, killpoint help moments  explains the names"
        raise UserError("--at names no moment", str(error), remedy) from error
    faults = [Fault(moment, action) for moment in moments for action in actions]
    return tuple(Scenario(f"S{number:02}", (fault,)) for number, fault in enumerate(faults, 1))
