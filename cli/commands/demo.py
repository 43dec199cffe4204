"""`killpoint demo`: the sample consumers, each killed wherever it can break."""

import asyncio
from collections.abc import Sequence
from time import monotonic

from killpoint.checks.guarantee import Guarantee
from killpoint.cli import demo_result
from killpoint.cli.commands.output import beating, check_reports, consoles
from killpoint.cli.demo_result import demo_json
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.progress import Interrupted, Reporter
from killpoint.cli.report.demo import DemoReport
from killpoint.cli.report.json_file import write_json
from killpoint.cli.session.demo import Demo
from killpoint.cli.session.interrupt import interruptible
from killpoint.cli.session.stack_choice import EMBEDDED, StackWish
from killpoint.compose.consumers.catalogue import SAMPLES, Sample


def demo(json: str | None, full: bool, stack: str | None = None) -> ExitCode:
    """Examine every sample and print the table. Raises EnvironmentFailed."""
    began = monotonic()
    check_reports(json)
    out, progress = consoles(json)
    report = DemoReport(out, progress, [_shown(sample) for sample in SAMPLES])
    asyncio.run(_held(report, SAMPLES, full, StackWish(stack or EMBEDDED)))
    code = report.finish(monotonic() - began)
    if json is not None:
        write_json(json, demo_json(report.judgements))
    return code


async def _held(
    report: DemoReport, samples: Sequence[Sample], full: bool, stack: StackWish
) -> None:
    async with beating(report) as reporter:
        session = Demo(samples, reporter, lambda sample: _reader(report, sample), full, stack)
        try:
            await interruptible(session.go())
        except asyncio.CancelledError:
            reporter.on(Interrupted())


def _reader(report: DemoReport, sample: Sample) -> Reporter:
    return report.reader(_shown(sample))


def _shown(sample: Sample) -> demo_result.Sample:
    return demo_result.Sample(sample.name, Guarantee(sample.guarantee), sample.total)
