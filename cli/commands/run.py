"""`killpoint run`: the main job on the user's own consumer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex

from killpoint.checks.guarantee import Guarantee
from killpoint.cli.commands.examine import hold, opened
from killpoint.cli.config.duration import parse_duration
from killpoint.cli.config.run import RunTable
from killpoint.cli.config.scenario import NO_OVERTAKING
from killpoint.cli.config.target import TargetTable
from killpoint.cli.config.verify_replicas import ONE, refusal, unknown_replica
from killpoint.cli.errors import UserError
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.result import THEN
from killpoint.cli.session.session import Session, Wanted
from killpoint.cli.session.subject import Subject
from killpoint.faults.actions import ACTIONS
from killpoint.faults.depth import Depth
from killpoint.faults.moment import MomentError
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.scenario import KILL, SWEPT, Fault, Scenario


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of a sweep as they were given; None: as the configuration or the default has it.

    `at`: moments; `within`: a duration.
    """

    at: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    depth: str | None = None
    limit: int | None = None
    require: str | None = None
    kills: int | None = None
    within: str | None = None
    seed: str | None = None
    lanes: int | None = None
    dies: str | None = None


def run(
    config: Path | None,
    options: RunOptions,
    json: str | None,
    junit: Path | None,
    stack: str | None = None,
) -> ExitCode:
    """Run the scenarios and print the verdict. Raises ConfigError, UserError, EnvironmentFailed."""
    file = opened(config, json, junit)
    subject = file.subject
    if options.require is not None:
        subject = replace(subject, requirement=_guarantee(options.require))
    target = file.project.configuration.target
    if options.dies is not None:
        subject = replace(subject, one_dies=_one_dies(options.dies, target))
    wanted = wanted_of(options, subject, file.project.configuration.run)
    named = (fault.at for scenario in wanted.scenarios for fault in scenario.faults)
    if why := unknown_replica(named, target):
        raise UserError("--at names no replica of the target", *why)
    session = file.session(stack, subject, wanted)
    return file.finish(hold(session, file, Session.sweep))


def wanted_of(options: RunOptions, subject: Subject, table: RunTable) -> Wanted:
    """What a session is to do. Raises UserError."""
    chosen = _actions(options.actions, options.at) or subject.actions
    return Wanted(
        scenarios=_given(options.at, chosen),
        actions=chosen,
        limit=options.limit,
        depth=_depth(options, table),
        within=_seconds(options.within),
        kills=_kills(options.kills or table.kills, chosen),
        seed=options.seed or token_hex(2),
        lanes=options.lanes or table.lanes,
    )


def _depth(options: RunOptions, table: RunTable) -> Depth:
    """What was asked for; the first N moments are what `points` lists, unless a depth is given."""
    if options.depth is not None:
        return Depth(options.depth)
    return Depth(table.depth) if options.limit is None else Depth.MOMENTS


def _seconds(within: str | None) -> float | None:
    if within is None:
        return None
    try:
        return parse_duration(within)
    except ValueError as error:
        raise UserError(f"--within {error}", None, "for example --within 60s") from error


def _kills(kills: int, actions: tuple[str, ...]) -> int:
    if kills > 1 and KILL not in actions:
        what = "--kills 2 kills again after a kill, but kill is none of the actions"
        raise UserError(what, f"actions: {', '.join(actions)}", "add --action kill")
    return kills


def _one_dies(dies: str, target: TargetTable) -> bool:
    if why := refusal(dies, target):
        raise UserError(f"--dies {dies} {why[0]}", None, why[1])
    return dies == ONE


def _guarantee(text: str) -> Guarantee:
    try:
        return Guarantee(text)
    except ValueError as error:
        known = ", ".join(f'"{g}"' for g in Guarantee)
        raise UserError(f'--require "{text}" is no guarantee', None, f"one of {known}") from error


def _actions(names: Sequence[str], at: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if name not in ACTIONS:
            known = ", ".join(ACTIONS)
            raise UserError(f'--action "{name}" is no action', None, f"one of {known}")
        if name not in SWEPT and not at:
            what = f"--action {name} needs --at: a sweep tries it by itself where it may matter"
            raise UserError(what, None, f"--at 'postgres.commit#2:before' --action {name}")
    return tuple(dict.fromkeys(names))


def _given(at: Sequence[str], actions: tuple[str, ...]) -> tuple[Scenario, ...]:
    """`--at` is one scenario for each action: of one moment, or of several one after another."""
    try:
        moments = [[parse_moment(part) for part in text.split(THEN)] for text in at]
    except MomentError as error:
        remedy = "killpoint points  lists the moments, killpoint help moments  explains the names"
        raise UserError("--at names no moment", str(error), remedy) from error
    faults = [
        tuple(Fault(moment, action) for moment in one) for one in moments for action in actions
    ]
    for fault in (fault for one in faults for fault in one):
        if not fault.feasible:
            what = NO_OVERTAKING.format(at=fault.at)
            raise UserError(what, None, "--at 'postgres.commit#2:before' --action overtake")
    return tuple(Scenario(f"S{number:02}", each) for number, each in enumerate(faults, 1))
