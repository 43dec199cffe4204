"""`--junit FILE`: one test case a scenario, for the CI systems that show such files.

What was found wrong is a failure, unless the requirement admits it; inconclusive is an error, never
a failure, as the target is not accused of it; a moment that depends on time and did not come is
skipped. A run that did not pass and has no such case gets one named "verdict", so that it never
reads as a pass.
"""

from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from killpoint.checks.guarantee import Guarantee, left_by
from killpoint.checks.outcome import Outcome
from killpoint.cli.exit_codes import ExitCode, meaning_for
from killpoint.cli.progress import VerdictGiven
from killpoint.cli.report.cause import cause_of
from killpoint.cli.report.page import Page
from killpoint.cli.report.whole_file import write_whole
from killpoint.cli.report.words import (
    bound_words,
    coverage_words,
    difference_words,
    failed_in,
    failing_checks,
    outcome_words,
    repeat_command,
    shell_words,
    title_of,
)
from killpoint.cli.result import Result, ScenarioResult

_PAGE = Page()


def write_junit(path: Path, verdict: VerdictGiven, argument: str | None = None) -> None:
    """Write the file, whole. Raises UserError if that fails."""
    write_whole(path, junit_text(verdict, argument))


def junit_text(verdict: VerdictGiven, argument: str | None = None) -> str:
    """The run as a JUnit XML text."""
    result = verdict.result
    suite = Element("testsuite", name="killpoint", time=f"{verdict.seconds:.3f}")
    _properties(suite, result)
    for scenario in result.scenarios:
        _case(suite, result, scenario, argument)
    if verdict.exit_code is not ExitCode.MET and not _tells(suite):
        _verdict_case(suite, verdict)
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        suite.set(name, str(len(list(suite.iter(tag)))))
    suite.set("skipped", str(len(list(suite.iter("skipped")))))
    root = Element("testsuites", suite.attrib)
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def _properties(suite: Element, result: Result) -> None:
    properties = SubElement(suite, "properties")
    values = {
        "killpoint": result.killpoint,
        "run": result.run,
        "stack": result.stack,
        "guarantee": result.guarantee or "",
        "required": result.required or "",
        "bound": bound_words(result),
        "coverage": coverage_words(result.coverage),
    }
    for name, value in values.items():
        SubElement(properties, "property", name=name, value=_PAGE.clean(value))


def _case(suite: Element, result: Result, scenario: ScenarioResult, argument: str | None) -> None:
    case = SubElement(
        suite,
        "testcase",
        classname="killpoint.scenario",
        name=_PAGE.clean(title_of(scenario)),
        time=f"{scenario.seconds.total:.3f}",
    )
    cycle = result.clean_runs[0].cycle if result.clean_runs else ""
    if failed_in(scenario.outcome):
        cause = cause_of(scenario, cycle)
        message = f"{outcome_words(scenario)}: {cause.sentence if cause else ''}"
        tag = "system-out" if _admitted(scenario.outcome, result.required) else "failure"
        _end(case, tag, scenario.outcome, message, _details(scenario, argument))
    elif scenario.outcome is Outcome.INCONCLUSIVE:
        tag = "error" if scenario.required else "skipped"
        _end(case, tag, scenario.outcome, scenario.reason or "no reason was given", [])


def _admitted(outcome: Outcome, required: Guarantee | None) -> bool:
    left = left_by(outcome)
    return left is not None and required is not None and left.meets(required)


def _details(scenario: ScenarioResult, argument: str | None) -> list[str]:
    """The keys that differ, the folder with the evidence, and the command that repeats it."""
    lines = [
        f"{check.name}   {difference_words(difference)}"
        for check in failing_checks(scenario.checks)
        for difference in check.keys
    ]
    if scenario.evidence:
        lines.append(f"evidence   {scenario.evidence}")
    words = shell_words(repeat_command(scenario, argument))
    lines.append(f"again      {' '.join(words)}")
    return lines


def _end(case: Element, tag: str, outcome: str, message: str, details: list[str]) -> None:
    end = SubElement(case, tag)
    if tag == "system-out":
        details = [message, *details]
    else:
        end.set("message", _PAGE.clean(message))
    if tag in ("failure", "error"):
        end.set("type", outcome)
    if details:
        end.text = "\n".join(_PAGE.clean(detail) for detail in details)


def _tells(suite: Element) -> bool:
    return any(True for tag in ("failure", "error") for _ in suite.iter(tag))


def _verdict_case(suite: Element, verdict: VerdictGiven) -> None:
    case = SubElement(suite, "testcase", classname="killpoint", name="verdict", time="0.000")
    meaning = meaning_for(verdict.result, verdict.exit_code)
    failed = verdict.exit_code is ExitCode.NOT_MET
    tag = "failure" if failed else "error"
    _end(case, tag, meaning, verdict.result.reason or meaning, [])
