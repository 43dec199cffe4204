"""The six exit codes and their words."""

import pytest

from killpoint.cli.exit_codes import ExitCode, exit_line, meaning_for
from tests.support.results import KINDS


def test_the_numbers_of_the_contract() -> None:
    assert [code.value for code in ExitCode] == [0, 1, 2, 3, 4, 130]


def test_each_code_has_its_own_meaning() -> None:
    assert len({code.meaning for code in ExitCode}) == len(ExitCode)


def test_the_last_line() -> None:
    assert exit_line(ExitCode.NOT_MET) == "exit 1   the requirement is not met"
    assert exit_line(ExitCode.MET, "moments listed") == "exit 0   moments listed"


@pytest.mark.parametrize(
    ("kind", "meaning"),
    [
        ("failed", "the requirement is not met"),
        ("passed", "the requirement is met"),
        ("lost", "conclusive, nothing required"),
        ("stuck", "stuck"),
        ("wrong", "wrong without any fault"),
        ("inconclusive", "inconclusive"),
        ("interrupted", "interrupted"),
        ("audit", "clean"),
    ],
)
def test_a_result_claims_no_more_than_it_shows(kind: str, meaning: str) -> None:
    assert meaning_for(*KINDS[kind]) == meaning
