"""`killpoint points`: the consumer's cycle, and the moments that it can be stopped at."""

from pathlib import Path

from killpoint.cli.commands.examine import hold
from killpoint.cli.commands.output import consoles
from killpoint.cli.config.load import load_project
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.json_file import write_json
from killpoint.cli.report.page import page_for, show
from killpoint.cli.report.points import Point, Points, points_lines
from killpoint.cli.report.terminal import TerminalReport
from killpoint.cli.session.session import Session
from killpoint.cli.session.stack_choice import stack_wish
from killpoint.cli.session.subject import subject_of


def points(config: Path | None, json: str | None, stack: str | None = None) -> ExitCode:
    """Make the clean runs and print what they showed."""
    project = load_project(config)
    subject = subject_of(project, seed="killpoint")
    out, progress = consoles(json)
    report = TerminalReport(out, progress)
    argument = str(config) if config is not None else None
    session = Session(subject, report, stack=stack_wish(project.configuration, stack))
    verdict = hold(session, report, project, argument, Session.points)
    examination = session.examination
    interrupted = verdict.exit_code is ExitCode.INTERRUPTED
    if interrupted or examination is None or examination.cycle is None:
        report.on(verdict)
        return verdict.exit_code
    found = Points(
        str(examination.cycle),
        tuple(Point(str(moment.at), moment.required) for moment in examination.found),
    )
    code = ExitCode.MET if found.moments else ExitCode.INCONCLUSIVE
    if json is not None:
        write_json(json, found.to_json())
    show(out, points_lines(found, code, page_for(out)))
    return code
