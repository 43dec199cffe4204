"""What `run`, `points` and `audit` share: load the file, hold the session, give what it found."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from rich.console import Console

from killpoint.cli.commands.output import alive, check_reports, consoles, write_reports
from killpoint.cli.config.load import Project, load_project
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.progress import ConfigurationUsed, Interrupted, VerdictGiven
from killpoint.cli.report.terminal import TerminalReport
from killpoint.cli.session.interrupt import interruptible
from killpoint.cli.session.session import Session, Wanted
from killpoint.cli.session.stack_choice import stack_wish
from killpoint.cli.session.subject import Subject, subject_of


@dataclass(frozen=True, slots=True)
class Opened:
    """A configuration that was read, and where what its session finds is to go.

    `config` is the argument of the command line; `out` and `progress` are the consoles.
    """

    config: Path | None
    project: Project
    subject: Subject
    out: Console
    progress: Console
    report: TerminalReport
    json: str | None
    junit: Path | None

    @property
    def argument(self) -> str | None:
        """How the configuration was named, for commands to paste; None if it was found."""
        return None if self.config is None else str(self.config)

    def session(
        self, stack: str | None, subject: Subject | None = None, wanted: Wanted | None = None
    ) -> Session:
        """The session of a subject (the file's own if none is given); nothing is started."""
        wish = stack_wish(self.project.configuration, stack, self.subject.container)
        return Session(subject or self.subject, self.report, wanted or Wanted(), stack=wish)

    def finish(self, verdict: VerdictGiven) -> ExitCode:
        """Write the files that were asked for and print the verdict. Raises UserError."""
        write_reports(verdict, self.json, self.junit, self.argument)
        self.report.on(verdict)
        return verdict.exit_code


def opened(config: Path | None, json: str | None, junit: Path | None = None) -> Opened:
    """Check everything that can be wrong before anything starts. Raises ConfigError, UserError."""
    check_reports(json, junit)
    project = load_project(config)
    out, progress = consoles(json)
    subject = subject_of(project, seed="killpoint")
    report = TerminalReport(out, progress)
    return Opened(config, project, subject, out, progress, report, json, junit)


SPARE = "started beforehand, so it sees files, clocks and leases as before the crash"


def hold(
    session: Session, opened: Opened, work: Callable[[Session], Awaitable[None]]
) -> VerdictGiven:
    """Hold a session to its end or its interruption; errors of the user's are raised.

    Raises KeyboardInterrupt if it was interrupted before its first run: nothing is known then.
    """
    began = monotonic()

    async def whole() -> bool:
        async with alive(opened.report, opened.progress) as reporter:
            session.reporter = reporter
            reporter.on(configuration_used(opened.project, session.subject, opened.argument))
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


def _replicas(subject: Subject) -> str:
    who = "one dies, the others go on" if subject.one_dies else "all die together"
    return f"{subject.replicas}, {who}"


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
            *([("spare", SPARE)] if subject.spare else []),
            *([("replicas", _replicas(subject))] if subject.replicas > 1 else []),
            *(("source", text) for text in sources),
            *(("check", f'"{check.name}" against the events') for check in subject.checks),
        ),
    )
