"""Causes grouped, keys, cures, and commands that a shell reads as they were meant."""

import shlex
from dataclasses import replace

from killpoint.checks.outcome import Outcome
from killpoint.cli.report.failures import command_lines, failure_lines
from killpoint.cli.report.page import Page
from killpoint.cli.result import CleanRun, FaultResult, Result
from tests.support.results import audit, failed, passed, result, scenario

AT = "postgres.commit#1:after"


def text_of(found: Result, argument: str | None = None) -> str:
    return "\n".join(line.plain for line in failure_lines(found, Page(), argument))


def test_nothing_to_say_of_a_pass() -> None:
    assert text_of(passed()) == ""
    assert text_of(audit()) == ""


def test_each_cause_is_told_once_with_its_first_scenario() -> None:
    found = result(
        scenario(1, AT, Outcome.COUNTED_TWICE),
        scenario(2, "postgres.commit#2:after", Outcome.COUNTED_TWICE),
        scenario(3, "postgres.commit#3:after", Outcome.BOTH),
    )
    text = text_of(found)
    assert text.count("repeats the batch (S01).") == 1
    assert "(S02)" not in text
    assert "repeated others (S03)." in text
    assert text.count("Cure ") == 1


def test_an_unexplained_outcome_is_said_in_the_end_as_well() -> None:
    one = replace(scenario(1, AT, Outcome.LOST), unexplained=True)
    assert "UNEXPLAINED" in text_of(result(one))


def test_what_the_restart_did_is_the_cause_and_is_said() -> None:
    one = replace(scenario(1, AT, Outcome.LOST), explained_by="the restart dropped clicks")
    text = text_of(result(one))
    assert "after its restart cost more than the crash" in text
    assert "explained: the restart dropped clicks" in " ".join(text.split())


def test_the_others_are_named_in_one_list() -> None:
    assert "and 1 other: postgres.commit#2:after" in text_of(failed())


def test_open_scenarios_with_one_reason_are_told_once() -> None:
    found = result(
        *(scenario(i, AT, Outcome.INCONCLUSIVE, "never joined") for i in (1, 2, 3)),
        scenario(4, AT, Outcome.INCONCLUSIVE, "a timer's", required=False),
    )
    assert text_of(found) == f"Open     {AT} and 2 more: never joined"


def test_a_command_of_several_lines_is_one_command() -> None:
    topic = "a topic's name " * 12
    at = f'kafka.fetch{{topic="{topic}"}}:after'
    one = replace(scenario(1, AT), faults=(FaultResult(at, "kill", True),))
    lines = [line.plain for line in command_lines(one, Page(80), "Again", "my file.toml")]
    assert len(lines) > 2
    assert max(map(len, lines)) <= 80
    pasted = "\n".join(lines).removeprefix("Again").strip().replace("\\\n", "")
    words = ["killpoint", "run", "my file.toml", "--at", at, "--action", "kill"]
    assert shlex.split(pasted) == words


def test_several_faults_are_repeated_by_one_name() -> None:
    one = scenario(1, AT)
    two = replace(one, faults=one.faults * 2)
    (line,) = command_lines(two, Page(), "Again", None)
    assert line.plain == f"Again    killpoint run --at '{AT}, then {AT}' --action kill"


def test_several_actions_are_repeated_by_the_configuration() -> None:
    one = scenario(1, AT)
    two = replace(one, faults=(*one.faults, FaultResult(AT, "terminate", True)))
    (line,) = command_lines(two, Page(), "Again", None)
    assert line.plain == f"Again    killpoint run   scenario S01: {AT}, then {AT}"


def test_what_to_do_of_an_inconclusive_clean_run_has_a_line_of_its_own() -> None:
    run = CleanRun(Outcome.INCONCLUSIVE, "it never connected; do: name it", "", (), "runs/clean-1")
    found = replace(result(), clean_runs=(run,), reason="no verdict: it never connected; do: x")
    assert text_of(found) == "Do       name it\nOutput   runs/clean-1/target.log"
    assert text_of(replace(found, reason=None)).startswith(
        "Why      Clean run 1: inconclusive, it never connected.\nDo       name it"
    )
