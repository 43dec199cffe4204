"""What `run`, `points` and `audit` share: load the file, hold the session, give what it found."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

from killpoint.cli.commands.output import beating
from killpoint.cli.config.load import Project
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.progress import ConfigurationUsed, Interrupted, VerdictGiven
from killpoint.cli.report.terminal import TerminalReport
from killpoint.cli.session.interrupt import interruptible
from killpoint.cli.session.session import Session
from killpoint.cli.session.subject import Subject


def hold(
    session: Session,
    report: TerminalReport,
    project: Project,
    argument: str | None,
    work: Callable[[Session], Awaitable[None]],
) -> VerdictGiven:
    """Hold a session to its end or its interruption; errors of the user's are raised.

    Raises KeyboardInterrupt if it was interrupted before its first run: nothing is known then.
    """
    began = monotonic()

    async def whole() -> bool:
        async with beating(report) as reporter:
            session.reporter = reporter
            reporter.on(configuration_used(project, session.subject, argument))
            try:
                await interruptible(_awaited(work, session))
            except asyncio.CancelledError:
                reporter.on(Interrupted())
                return False
            return True

    complete = asyncio.run(whole())
    found = session.result(complete=complete)
    if found is None:
        raise KeyboardInterrupt
    result, verdict = found
    code = ExitCode(int(verdict.exit_code)) if complete else ExitCode.INTERRUPTED
    return VerdictGiven(result, code, monotonic() - began)


async def _awaited(work: Callable[[Session], Awaitable[None]], session: Session) -> None:
    await work(session)


def configuration_used(
    project: Project, subject: Subject, argument: str | None
) -> ConfigurationUsed:
    """The header of a session."""
    sources = [
        f"{s.topic} · "
        + (f"{len(s.records)} events" if s.produce is None else "events by a program")
        + f", {s.partitions} partition{'' if s.partitions == 1 else 's'} · group starts "
        + ("at offset 0" if s.committed_start else "without an offset")
        for s in subject.sources
    ]
    group = subject.group or "learnt from the wire"
    return ConfigurationUsed(
        str(project.file),
        argument,
        (
            ("target", f"{subject.what} · group {group}"),
            *(("source", text) for text in sources),
            *(("check", f'"{check.name}" against the events') for check in subject.checks),
        ),
    )
