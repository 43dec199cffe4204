"""Why a run failed: causes with the keys that show them, cures, and the lines that repeat them.

Pure: a result in, lines out. Scenarios with one cause are shown by the first of them.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from killpoint.checks.outcome import Outcome
from killpoint.cli.report.cause import Cause, cause_of
from killpoint.cli.report.page import Page, line, padded
from killpoint.cli.report.row import explained_words, unexplained_words
from killpoint.cli.report.words import (
    count,
    difference_words,
    failed_in,
    failing_checks,
    frontier_words,
    name_of,
    reason_and_remedy,
    repeat_command,
    shell_words,
    title_of,
)
from killpoint.cli.result import CheckResult, Result, ScenarioResult

LABEL: Final = 9
KEYS_SHOWN: Final = 2
PLACES_SHOWN: Final = 2
IN_FULL: Final = 3


def failure_lines(result: Result, page: Page, argument: str | None = None) -> list[Text]:
    """The blocks Why, Cure, Open and Again; none of them for a run without faults to show."""
    failed = [scenario for scenario in result.scenarios if failed_in(scenario.outcome)]
    causes = _causes(failed, result.clean_runs[0].cycle if result.clean_runs else "")
    return [
        *_wrong_clean_run(result, page),
        *_why(causes, page),
        *_cures(causes, page),
        *_open(result.scenarios, page),
        *_again(failed, page, argument),
    ]


def _causes(failed: Iterable[ScenarioResult], cycle: str) -> dict[Cause, list[ScenarioResult]]:
    causes: dict[Cause, list[ScenarioResult]] = {}
    for scenario in failed:
        if cause := cause_of(scenario, cycle):
            causes.setdefault(cause, []).append(scenario)
    return causes


def _labelled(label: str, text: str, page: Page) -> list[Text]:
    first = padded(label, LABEL)
    return [line(part) for part in page.fold(text, first, " " * LABEL)]


def _wrong_clean_run(result: Result, page: Page) -> list[Text]:
    """The first clean run that was not clean; that it was inconclusive is the verdict's reason."""
    for i, run in enumerate(result.clean_runs, 1):
        if run.outcome is Outcome.CLEAN:
            continue
        happened, remedy = reason_and_remedy(run.reason or "")
        text = f"Clean run {i}: {run.outcome}{f', {happened}' if happened else ''}."
        told = bool(happened) and happened in (result.reason or "")
        return [
            *([] if told else _labelled("Why", text, page)),
            *_keys(run.checks, page),
            *(_labelled("Do", remedy, page) if remedy else []),
            *(_labelled("Output", f"{run.evidence}/target.log", page) if run.evidence else []),
        ]
    return []


def _why(causes: dict[Cause, list[ScenarioResult]], page: Page) -> list[Text]:
    lines: list[Text] = []
    for cause, scenarios in causes.items():
        first = scenarios[0]
        sentence = f"{cause.sentence.removesuffix('.')} ({first.id})."
        lines += _labelled("" if lines else "Why", sentence, page)
        lines += _keys(first.checks, page)
        for fault in first.faults:
            for entry in fault.frontier[:PLACES_SHOWN]:
                lines += _indented(f"{fault.at}   {frontier_words(entry)}", page)
        unexplained = [scenario for scenario in scenarios if scenario.unexplained]
        lines += _indented(unexplained_words(unexplained[0]), page) if unexplained else []
        lines += _indented(explained_words(first.explained_by), page) if first.explained_by else []
        lines += _indented(f"evidence   {first.evidence}", page) if first.evidence else []
    return lines


def _indented(text: str, page: Page) -> list[Text]:
    return [line(part) for part in page.fold(text, " " * (LABEL + 2))]


def _keys(checks: Iterable[CheckResult], page: Page) -> list[Text]:
    """The first differing keys of each check that is not clean, and how many more there are."""
    lines: list[Text] = []
    for check in failing_checks(checks):
        shown = check.keys[:KEYS_SHOWN]
        more = check.keys_total - len(shown)
        for i, difference in enumerate(shown, 1):
            rest = f"   {more} more" if more > 0 and i == len(shown) else ""
            words = f"{check.name}   {difference_words(difference)}{rest}"
            lines += _indented(page.clean(words), page)
    return lines


def _cures(causes: Iterable[Cause], page: Page) -> list[Text]:
    lines: list[Text] = []
    for cure in dict.fromkeys(cause.cure for cause in causes):
        lines += _labelled("" if lines else "Cure", cure, page)
    return lines


def _open(scenarios: Iterable[ScenarioResult], page: Page) -> list[Text]:
    """The required scenarios without an answer: the reasons, each with the first that has it."""
    reasons: dict[str, list[ScenarioResult]] = {}
    for scenario in scenarios:
        if scenario.outcome is Outcome.INCONCLUSIVE and scenario.required:
            reasons.setdefault(scenario.reason or "no reason was given", []).append(scenario)
    lines: list[Text] = []
    for reason, those in reasons.items():
        more = f" and {len(those) - 1} more" if len(those) > 1 else ""
        happened, remedy = reason_and_remedy(reason)
        text = f"{title_of(those[0])}{more}: {happened}"
        lines += _labelled("" if lines else "Open", text, page)
        lines += _labelled("Do", remedy, page) if remedy else []
    return lines


def _again(failed: Sequence[ScenarioResult], page: Page, argument: str | None) -> list[Text]:
    """The commands that repeat the first failures, and the names of the others."""
    lines: list[Text] = []
    for scenario in failed[:IN_FULL]:
        lines += command_lines(scenario, page, "" if lines else "Again", argument)
    others = failed[IN_FULL:]
    if others:
        names = ", ".join(title_of(scenario) for scenario in others)
        lines += _labelled("", f"and {count(len(others), 'other')}: {names}", page)
    return lines


def command_lines(
    scenario: ScenarioResult, page: Page, label: str, argument: str | None
) -> list[Text]:
    """The command that repeats a scenario, in lines that can be pasted into a shell."""
    words = [page.clean(word) for word in repeat_command(scenario, argument)]
    quoted = shell_words(words)
    if "--at" not in words:
        what = f"{' '.join(quoted)}   scenario {scenario.id}: {name_of(scenario)}"
        return _labelled(label, what, page)
    first = padded(label, LABEL)
    if cell_len(first + " ".join(quoted)) <= page.width:
        return [line(first + " ".join(quoted))]
    return [line(part) for part in _continued(quoted, first, page.width)]


def _continued(words: Sequence[str], first: str, width: int) -> list[str]:
    """Words over several lines by the shell's own continuation, a long one within its quotes."""
    lines = [first + " ".join(words[:2])]
    for word in words[2:]:
        if cell_len(lines[-1]) + cell_len(word) + 3 <= width:
            lines[-1] += f" {word}"
            continue
        lines[-1] += " \\"
        indented = " " * (LABEL + 2) + word
        lines += [indented] if cell_len(indented) + 2 <= width else _pieces(word, width - 2)
    return lines


def _pieces(word: str, width: int) -> list[str]:
    """One word in pieces that the shell joins again: a backslash ends each line but the last."""
    room = width - 1
    pieces: list[str] = []
    while cell_len(word) > room:
        end = max(i for i in range(1, room) if cell_len(word[:i]) <= room - 1)
        pieces.append(word[:end] + "'\\")
        word = "'" + word[end:]
    return [*pieces, word]
