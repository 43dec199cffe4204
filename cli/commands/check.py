"""`killpoint check`: all that can be known of a configuration without starting anything."""

import asyncio
from pathlib import Path

from killpoint.cli.commands.examine import configuration_used, opened
from killpoint.cli.commands.run import RunOptions, wanted_of
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.page import page_for, show
from killpoint.cli.report.plan import plan_code, plan_lines
from killpoint.cli.report.terminal import progress_lines
from killpoint.cli.session.plan import plan_of
from killpoint.cli.session.stack_choice import stack_wish


def check(config: Path | None, stack: str | None) -> ExitCode:
    """Verify the file, then print what would run. Raises ConfigError with every problem found."""
    file = opened(config, None)
    wish = stack_wish(file.project.configuration, stack)
    wanted = wanted_of(RunOptions(), file.subject, file.project.configuration.run)
    plan = asyncio.run(plan_of(file.subject, wish, wanted))
    page = page_for(file.out)
    show(
        file.out,
        progress_lines(configuration_used(file.project, file.subject, file.argument), page),
    )
    show(file.out, plan_lines(plan, page))
    return plan_code(plan)
