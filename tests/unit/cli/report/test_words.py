"""Small texts: amounts, bounds, coverage, keys, commands."""

from dataclasses import replace

import pytest

from killpoint.checks.outcome import Outcome
from killpoint.cli.report.words import (
    bound_words,
    count,
    coverage_words,
    difference_words,
    failed_in,
    frontier_words,
    most,
    name_of,
    number_of,
    outcome_style,
    outcome_words,
    repeat_command,
    shell_words,
)
from killpoint.cli.result import Bound, Coverage, FaultResult, FrontierEntry, KeyDifference
from tests.support.results import passed, scenario

AT = "postgres.commit#1:after"


@pytest.mark.parametrize(
    ("outcome", "words", "style"),
    [
        (Outcome.CLEAN, "clean", None),
        (Outcome.LOST, "lost 3", "red"),
        (Outcome.COUNTED_TWICE, "counted twice 3", "red"),
        (Outcome.BOTH, "lost 3, twice 3", "red"),
        (Outcome.STUCK, "stuck", None),
        (Outcome.INCONCLUSIVE, "inconclusive", "yellow"),
    ],
)
def test_an_outcome_with_its_amount_and_colour(
    outcome: Outcome, words: str, style: str | None
) -> None:
    assert outcome_words(scenario(1, AT, outcome)) == words
    assert outcome_style(outcome) == style


def test_what_speaks_against_the_target() -> None:
    silent = {outcome for outcome in Outcome if not failed_in(outcome)}
    assert silent == {Outcome.CLEAN, Outcome.INCONCLUSIVE}


def test_the_largest_amount_is_found_by_value() -> None:
    assert most([9, "10.5", None]) == "10.5"
    assert most([]) == 0
    assert number_of("no number") == 0


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        (Bound(("kill",), 1), "under one kill"),
        (Bound(("kill", "pause"), 1), "under one fault (kill, pause)"),
        (Bound(("kill",), 2), "under up to two kills"),
        (Bound(("kill",), 3), "under up to 3 faults (kill)"),
        (Bound((), 0), "without faults"),
        (Bound(("kill",), 1, dies="one"), "under one kill of one replica"),
        (Bound(("kill",), 2, dies="one"), "under up to two kills, each of one replica"),
    ],
)
def test_the_bound(bound: Bound, words: str) -> None:
    assert bound_words(replace(passed(), bound=bound)) == words


def test_the_coverage_tells_apart_what_is_required() -> None:
    assert coverage_words(Coverage(31, 31, 31)) == "31 of 31 moments"
    assert coverage_words(Coverage(33, 31, 32)) == "32 of 33 moments (31 required)"
    assert count(1, "moment") == "1 moment"


def test_a_difference_and_a_partition() -> None:
    assert difference_words(KeyDifference({}, None, 3)) == (
        "in all   expected nothing   actual      3"
    )
    entry = FrontierEntry("clicks", 0, None, 3, 12)
    assert frontier_words(entry) == "clicks-0: nothing fetched, offset 3 saved, end 12"


def test_a_scenario_is_called_by_its_moments() -> None:
    one = scenario(1, AT)
    later = FaultResult("kafka.join:after", "kill", True)
    assert name_of(one) == AT
    assert name_of(replace(one, faults=(*one.faults, later))) == f"{AT}, then kafka.join:after"
    assert name_of(replace(one, faults=())) == "S01"


def test_the_command_that_repeats_a_kill_is_quoted_for_a_shell() -> None:
    command = repeat_command(scenario(1, AT), "my file.toml")
    assert " ".join(shell_words(command)) == (
        f"killpoint run 'my file.toml' --at '{AT}' --action kill"
    )


def test_the_command_that_repeats_the_death_of_one_says_so() -> None:
    at = "postgres.commit{replica=2}#1:after"
    died = scenario(1, at)
    fault = replace(died.faults[0], replica=2, survivors=1)
    command = repeat_command(replace(died, faults=(fault,)))
    assert " ".join(shell_words(command)) == (f"killpoint run --at '{at}' --action kill --dies one")
