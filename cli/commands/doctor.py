"""`killpoint doctor`: the facts about this machine."""

import asyncio
import sys

from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.doctor import doctor_code, doctor_lines
from killpoint.cli.report.page import console_for, page_for, show
from killpoint.compose.docker_facts import docker_facts
from killpoint.compose.facts import facts


def doctor() -> ExitCode:
    """Print what is there and what is missing."""
    found = [*facts(), *asyncio.run(docker_facts())]
    console = console_for(sys.stdout)
    show(console, doctor_lines(found, page_for(console)))
    return doctor_code(found)
