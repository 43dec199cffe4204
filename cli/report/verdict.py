"""The end of a report: the verdict with its bound and coverage, the warnings, the exit line.

Pure: a result in, lines out. Why it failed and how to repeat it is in `failures`.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.exit_codes import ExitCode, exit_line, meaning_for
from killpoint.cli.progress import VerdictGiven
from killpoint.cli.report.compared import compared_lines
from killpoint.cli.report.failures import failure_lines
from killpoint.cli.report.page import Page, line, padded, seconds
from killpoint.cli.report.words import (
    GUARANTEE_MISSING,
    bound_words,
    count,
    coverage_words,
    lost_in,
    most,
    number_of,
    reason_and_remedy,
    states_words,
    twice_in,
)
from killpoint.cli.result import Amount, CleanRun, Result, ScenarioResult

COUNTS: Final = {1: "one", 2: "two"}
LABEL = 9
GAP = " " * 6


def verdict_lines(verdict: VerdictGiven, page: Page, argument: str | None = None) -> list[Text]:
    """Everything that is printed at the end of a run or an audit, the exit line last."""
    result, code = verdict.result, verdict.exit_code
    blocks = [
        _warnings(result, page),
        [*_heading(result, code), *_body(result, verdict.seconds, page)],
        failure_lines(result, page, argument),
        _duplicates(result, page),
        compared_lines(result, page),
        _unseen(result, page),
        [line(page.clean(exit_line(code, meaning_for(result, code))))],
    ]
    lines: list[Text] = []
    for block in blocks:
        lines += [line(""), *block] if block else []
    return lines


def label_lines(label: str, texts: Iterable[str], page: Page) -> list[Text]:
    """A labelled block: the label before the first text, each text folded on its own lines."""
    lines: list[Text] = []
    for text in texts:
        first = padded("" if lines else label, LABEL)
        lines += [line(part) for part in page.fold(text, first, " " * LABEL)]
    return lines


def _warnings(result: Result, page: Page) -> list[Text]:
    texts = (f"{warning.name}: {warning.text}" for warning in result.warnings)
    return label_lines("Warning", texts, page)


def _unseen(result: Result, page: Page) -> list[Text]:
    return label_lines("Unseen", result.unseen, page)


def _duplicates(result: Result, page: Page) -> list[Text]:
    number = result.source_duplicates
    text = (
        f"source duplicates: {number} (events that stand in their topic again, with the same key, "
        "value and headers); the consumer is judged by offset, so each of them counts"
    )
    return label_lines("Notice", [text], page) if number else []


def heading_word(result: Result, code: ExitCode) -> str:
    """The verdict in one word."""
    if code is ExitCode.MET:
        return "PASSED" if result.required else "DONE"
    words = {ExitCode.NOT_MET: "FAILED", ExitCode.INTERRUPTED: "INTERRUPTED"}
    return words.get(code, "INCONCLUSIVE")


def _heading(result: Result, code: ExitCode) -> list[Text]:
    word = heading_word(result, code)
    first = padded(word, max(LABEL, cell_len(word) + 3))
    style = "bold yellow" if word == "INCONCLUSIVE" else "bold"
    if result.bound.faults_per_scenario == 0:
        clean = "the totals agree with the events" if word == "DONE" else "audited without faults"
        return [line((first, style), clean)]
    required = f"required: {result.required or 'nothing'}"
    given = result.guarantee or "none named"
    green = "green" if given == Guarantee.EFFECTIVELY_ONCE else None
    return [line((first, style), required, GAP, "given: ", (given, green))]


def _body(result: Result, total_seconds: float, page: Page) -> list[Text]:
    heading = f"required: {result.required}, given: {result.guarantee}"
    reason, _ = reason_and_remedy(result.reason or "")
    texts = [reason] if reason and reason != heading else []
    texts += [*_damage(result, page), *_reach(result, total_seconds)]
    if result.guarantee is Guarantee.EFFECTIVELY_ONCE:
        texts.append('"effectively once" means: not refuted within this sweep.')
    return label_lines("", texts, page)


def _damage(result: Result, page: Page) -> list[str]:
    """What was lost and counted twice at most in one scenario, and in how many; [] if unknown."""
    runs: list[CleanRun | ScenarioResult] = [*result.clean_runs, *result.scenarios]
    if not any(check.lost is not None for run in runs for check in run.checks):
        return []
    if result.scenarios:
        lost = _worst([lost_in(scenario) for scenario in result.scenarios])
        twice = _worst([twice_in(scenario) for scenario in result.scenarios])
    else:
        checks = [check for run in result.clean_runs for check in run.checks]
        lost, twice = (
            _none(most(c.lost for c in checks)),
            _none(most(c.counted_twice for c in checks)),
        )
    words = [f"lost: {lost}", f"counted twice: {twice}"]
    joined = GAP.join(words)
    return [joined] if LABEL + cell_len(joined) <= page.width else words


def _none(amount: Amount) -> str:
    return str(amount) if number_of(amount) else "none"


def _worst(amounts: Sequence[Amount]) -> str:
    wrong = [amount for amount in amounts if number_of(amount)]
    if not wrong:
        return "none"
    how_many = f"in {len(wrong)} of {count(len(amounts), 'scenario')}"
    return f"{'at most ' if len(wrong) > 1 else ''}{most(wrong)} a crash, {how_many}"


def _reach(result: Result, total_seconds: float) -> list[str]:
    """The bound and the coverage: what was tried is as much of the verdict as what came of it."""
    bound = bound_words(result)
    if result.bound.faults_per_scenario == 0:
        return [f"{bound}: {count(len(result.clean_runs), 'run')} · {seconds(total_seconds)}"]
    bound = f"{_under_fewer(result)}{result.guarantee or GUARANTEE_MISSING} {bound}"
    reached = sum(scenario.reached for scenario in result.scenarios)
    scenarios = f"{reached} of {count(len(result.scenarios), 'scenario')} reached"
    words = [f"{bound}: {coverage_words(result.coverage)}"]
    if result.coverage.crash_states:
        words.append(states_words(result.coverage))
    words.append(f"{scenarios} · {_inconclusive(result)} · {seconds(total_seconds)}")
    free = [scenario for scenario in result.scenarios if not scenario.required]
    if free:
        met = sum(scenario.reached for scenario in free)
        words.append(f"{met} of {len(free)} reached that depend on time and are not required")
    return words


def _under_fewer(result: Result) -> str:
    """What holds under fewer faults than were tried at most: "effectively once under one; "."""
    return "".join(
        f"{under.guarantee or GUARANTEE_MISSING} under {COUNTS.get(under.faults, under.faults)}; "
        for under in result.guarantees[:-1]
    )


def _inconclusive(result: Result) -> str:
    number = sum(scenario.outcome is Outcome.INCONCLUSIVE for scenario in result.scenarios)
    return f"{number} inconclusive"
