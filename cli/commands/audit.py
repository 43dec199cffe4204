"""`killpoint audit`: the target without faults until drained, and its totals checked."""

from pathlib import Path

from killpoint.cli.commands.examine import hold, opened
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.session.session import Session


def audit(config: Path | None, json: str | None, stack: str | None = None) -> ExitCode:
    """Run once without faults and print what the checks found."""
    file = opened(config, json)
    return file.finish(hold(file.session(stack), file, Session.audit))
