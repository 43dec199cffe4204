"""`killpoint points`: the consumer's cycle, and the moments that it can be stopped at."""

from pathlib import Path

from killpoint.cli.commands.examine import hold, opened
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.json_file import write_json
from killpoint.cli.report.page import page_for, show
from killpoint.cli.report.points import Point, Points, points_lines
from killpoint.cli.session.session import Session


def points(config: Path | None, json: str | None, stack: str | None = None) -> ExitCode:
    """Make the clean runs and print what they showed."""
    file = opened(config, json)
    session = file.session(stack)
    verdict = hold(session, file, Session.points)
    examination = session.examination
    interrupted = verdict.exit_code is ExitCode.INTERRUPTED
    if interrupted or examination is None or examination.cycle is None:
        file.report.on(verdict)
        return verdict.exit_code
    found = Points(
        str(examination.cycle),
        tuple(Point(str(moment.at), moment.required) for moment in examination.found),
    )
    code = ExitCode.MET if found.moments else ExitCode.INCONCLUSIVE
    if json is not None:
        write_json(json, found.to_json())
    show(file.out, points_lines(found, code, page_for(file.out)))
    return code
