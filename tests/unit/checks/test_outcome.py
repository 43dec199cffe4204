"""Outcomes: the contract's words, and the merging of several."""

import json
from importlib.resources import files
from itertools import permutations, product

import pytest

from killpoint.checks.outcome import Outcome, merge

CLEAN, LOST, TWICE, BOTH = Outcome.CLEAN, Outcome.LOST, Outcome.COUNTED_TWICE, Outcome.BOTH
STUCK, OPEN, PHANTOM = Outcome.STUCK, Outcome.INCONCLUSIVE, Outcome.PHANTOM


def test_the_words_are_those_of_the_result() -> None:
    schema = json.loads(files("killpoint.cli").joinpath("schema/result.schema.json").read_text())
    assert [str(outcome) for outcome in Outcome] == schema["$defs"]["outcome"]["enum"]


@pytest.mark.parametrize(
    ("outcomes", "merged"),
    [
        ([], OPEN),
        ([CLEAN, CLEAN], CLEAN),
        ([CLEAN, LOST], LOST),
        ([TWICE, CLEAN], TWICE),
        ([LOST, TWICE], BOTH),
        ([CLEAN, OPEN], OPEN),
        ([LOST, OPEN], LOST),
        ([LOST, OPEN, TWICE], BOTH),
        ([BOTH, PHANTOM], PHANTOM),
        ([Outcome.PARTIAL, LOST], BOTH),
        ([LOST, STUCK], STUCK),
        ([STUCK, OPEN], STUCK),
    ],
)
def test_merge(outcomes: list[Outcome], merged: Outcome) -> None:
    assert {merge(order) for order in permutations(outcomes)} == {merged}


def test_wrong() -> None:
    assert {outcome for outcome in Outcome if not outcome.wrong} == {CLEAN, STUCK, OPEN}


@pytest.mark.parametrize("first", Outcome)
def test_the_order_of_merging_does_not_matter(first: Outcome) -> None:
    for second, third in product(Outcome, repeat=2):
        whole = merge([first, second, third])
        assert merge([merge([first, second]), third]) is whole
        assert merge([first, merge([second, third])]) is whole
        assert merge([third, second, first]) is whole
