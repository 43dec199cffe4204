"""`killpoint help`: longer texts than `--help` has room for."""

import sys

from killpoint.cli.errors import UserError
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.help_config import config_help, moments_help
from killpoint.cli.report.page import console_for, show

TOPICS = {"config": config_help, "moments": moments_help}


def explain(topic: str) -> ExitCode:
    """Print the text on a topic. Raises UserError for one that is not known."""
    if topic not in TOPICS:
        raise UserError(f'no help on "{topic}"', None, f"one of {', '.join(TOPICS)}")
    show(console_for(sys.stdout), TOPICS[topic]().splitlines())
    return ExitCode.MET
