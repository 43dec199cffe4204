"""`killpoint audit`: the target without faults until drained, and its totals checked."""

from pathlib import Path

from killpoint.cli.commands.examine import hold
from killpoint.cli.commands.output import consoles, write_reports
from killpoint.cli.config.load import load_project
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.terminal import TerminalReport
from killpoint.cli.session.session import Session
from killpoint.cli.session.stack_choice import stack_wish
from killpoint.cli.session.subject import subject_of


def audit(config: Path | None, json: str | None, stack: str | None = None) -> ExitCode:
    """Run once without faults and print what the checks found."""
    project = load_project(config)
    subject = subject_of(project, seed="killpoint")
    out, progress = consoles(json)
    report = TerminalReport(out, progress)
    argument = str(config) if config is not None else None
    session = Session(subject, report, stack=stack_wish(project.configuration, stack))
    verdict = hold(session, report, project, argument, Session.audit)
    write_reports(verdict, json, None, argument)
    report.on(verdict)
    return verdict.exit_code
