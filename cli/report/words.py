"""Small texts that several reports share: amounts, outcomes, bounds, keys, the repeating command.

Pure functions from the result to words; the layout is the reports'.
"""

import shlex
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Final

from killpoint.checks.outcome import Outcome
from killpoint.cli.result import (
    REMEDY_FOLLOWS,
    THEN,
    Amount,
    CheckResult,
    Coverage,
    FrontierEntry,
    KeyDifference,
    Result,
    ScenarioResult,
)
from killpoint.faults.cycle import ARROW
from killpoint.faults.scenario import KILL

ONCE_OR_TWICE: Final = {1: "one", 2: "up to two"}
GUARANTEE_MISSING: Final = "no guarantee named"


def number_of(amount: Amount) -> Decimal:
    """An amount as a number; nothing, and what is no number, as 0."""
    try:
        return Decimal(0) if amount is None else Decimal(amount)
    except InvalidOperation:
        return Decimal(0)


def most(amounts: Iterable[Amount]) -> Amount:
    """The largest of some amounts; 0 of none."""
    return max((amount for amount in amounts if amount is not None), key=number_of, default=0)


def lost_in(scenario: ScenarioResult) -> Amount:
    """What the first check that lost something lost: units of several checks don't add up."""
    return next((check.lost for check in scenario.checks if number_of(check.lost)), 0)


def twice_in(scenario: ScenarioResult) -> Amount:
    """What the first check that counted something twice counted twice."""
    twice = (check.counted_twice for check in scenario.checks)
    return next((amount for amount in twice if number_of(amount)), 0)


def outcome_words(scenario: ScenarioResult) -> str:
    """An outcome with its amount: clean, lost 3, counted twice 3, lost 2 twice 4, stuck."""
    match scenario.outcome:
        case Outcome.LOST:
            return f"lost {lost_in(scenario)}"
        case Outcome.COUNTED_TWICE:
            return f"counted twice {twice_in(scenario)}"
        case Outcome.BOTH:
            return f"lost {lost_in(scenario)}, twice {twice_in(scenario)}"
        case other:
            return other.value


def outcome_style(outcome: Outcome) -> str | None:
    """Red for lost and counted twice alone, yellow for inconclusive."""
    if outcome is Outcome.INCONCLUSIVE:
        return "yellow"
    return "red" if outcome in (Outcome.LOST, Outcome.COUNTED_TWICE, Outcome.BOTH) else None


def failed_in(outcome: Outcome) -> bool:
    """Whether an outcome speaks against the target: wrong totals, or stuck."""
    return outcome.wrong or outcome is Outcome.STUCK


def name_of(scenario: ScenarioResult) -> str:
    """What a person calls a scenario: its moments, in order, as they can be pasted back."""
    return THEN.join(fault.at for fault in scenario.faults) or scenario.id


def title_of(scenario: ScenarioResult) -> str:
    """The same with what was done there, where that was not a plain kill."""
    actions = {fault.action for fault in scenario.faults} - {KILL}
    return " · ".join((name_of(scenario), *sorted(actions)))


def reason_and_remedy(reason: str) -> tuple[str, str]:
    """What happened and what to do, which the reason of an inconclusive run has both; "" if not."""
    happened, _, remedy = reason.partition(REMEDY_FOLLOWS)
    return happened, remedy


def bound_words(result: Result) -> str:
    """What the sweep was limited to: under one kill, under up to two kills."""
    actions, faults = result.bound.actions, result.bound.faults_per_scenario
    if faults == 0:
        return "without faults"
    whom = f"{', each' * (faults > 1)} of one replica" if result.bound.dies == "one" else ""
    if len(actions) == 1 and faults in ONCE_OR_TWICE:
        return f"under {ONCE_OR_TWICE[faults]} {actions[0]}{'s' * (faults > 1)}{whom}"
    how_many = "one fault" if faults == 1 else f"up to {faults} faults"
    return f"under {how_many}{whom} ({', '.join(actions)})"


def coverage_words(coverage: Coverage) -> str:
    """How many of the moments were reached: "31 of 33 moments (31 required)"."""
    words = f"{coverage.exercised} of {count(coverage.moments, 'moment')}"
    if coverage.required == coverage.moments:
        return words
    return f"{words} ({coverage.required} required)"


def states_words(coverage: Coverage) -> str:
    """What the moments stand for: "212 moments → 27 crash states → 4 classes; 27 of 27 …"."""
    found = ARROW.join(
        (
            count(coverage.moments, "moment"),
            count(coverage.crash_states, "crash state"),
            f"{coverage.classes} {'class' if coverage.classes == 1 else 'classes'}",
        )
    )
    tried = f"{coverage.crash_states_exercised} of {coverage.crash_states} states"
    kinds = f"{coverage.classes_exercised} of {coverage.classes} classes"
    assumed = ", assumed to be all there is (see Unseen)" if coverage.assumed else ""
    return f"{found}; {tried} and {kinds} exercised{assumed}"


def count(number: int, noun: str) -> str:
    """A number with its noun: 1 moment, 2 moments."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def key_words(difference: KeyDifference) -> str:
    """The key of a difference: "customer=4711 currency=EUR", "in all" without key columns."""
    return " ".join(f"{name}={value}" for name, value in difference.key.items()) or "in all"


def difference_words(difference: KeyDifference) -> str:
    """One key with both totals, in columns of at least the usual width."""
    totals = f"expected {_shown(difference.expected):>6}   actual {_shown(difference.actual):>6}"
    return f"{key_words(difference)}   {totals}"


def _shown(amount: Amount) -> str:
    return "nothing" if amount is None else str(amount)


def failing_checks(checks: Iterable[CheckResult]) -> list[CheckResult]:
    """The checks that are not clean."""
    return [check for check in checks if check.outcome is not Outcome.CLEAN]


def frontier_words(entry: FrontierEntry) -> str:
    """A partition at the kill: "clicks-0: fetched to 3, saved 0, end 12"."""
    fetched = "nothing fetched" if entry.fetched is None else f"fetched to {entry.fetched}"
    saved = "no offset saved" if entry.committed is None else f"offset {entry.committed} saved"
    return f"{entry.topic}-{entry.partition}: {fetched}, {saved}, end {entry.end}"


def repeat_command(scenario: ScenarioResult, argument: str | None = None) -> tuple[str, ...]:
    """The words of the command that repeats a scenario; `argument` names the configuration.

    One of several actions stands in the configuration, so the whole file is run.
    """
    named = () if argument is None else (argument,)
    actions = {fault.action for fault in scenario.faults}
    if len(actions) != 1:
        return ("killpoint", "run", *named)
    alone = ("--dies", "one") if any(fault.survivors for fault in scenario.faults) else ()
    return ("killpoint", "run", *named, "--at", name_of(scenario), "--action", *actions, *alone)


def shell_words(words: Iterable[str]) -> list[str]:
    """Words quoted for a shell; a moment is always quoted, as # and { mean something there."""
    return [_quoted(word) for word in words]


def _quoted(word: str) -> str:
    quoted = shlex.quote(word)
    return f"'{word}'" if quoted == word and ":" in word else quoted
