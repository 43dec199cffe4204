"""The result as JSON: every kind is as the shipped schema says, exact and whole."""

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from jsonschema import ValidationError

from killpoint.cli.result import (
    CheckResult,
    CleanRun,
    KeyDifference,
    Outcome,
    Result,
    amount,
)
from tests.support.results import KINDS, failed, passed
from tests.support.schema import assert_is_result


def data_of(result: Result) -> Any:
    return json.loads(result.to_json())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_as_the_schema_says(kind: str) -> None:
    assert_is_result(data_of(KINDS[kind][0]))


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_is_as_the_schema_says(outcome: Outcome) -> None:
    checked = CheckResult("totals", outcome, None, "0.50")
    runs = (CleanRun(outcome, None, "fetched 0", (checked,)),)
    data = data_of(replace(passed(), clean_runs=runs))
    assert_is_result(data)
    assert data["clean_runs"][0]["outcome"] == outcome.value


def test_the_schema_refuses_what_is_not_a_result() -> None:
    data = data_of(passed())
    data["scenarios"][0]["faults"][0]["at"] = "somewhere"
    with pytest.raises(ValidationError, match="somewhere"):
        assert_is_result(data)


def test_the_whole_of_a_scenario() -> None:
    assert data_of(failed())["scenarios"][1] == {
        "id": "S02",
        "faults": [
            {
                "at": "postgres.commit#1:after",
                "action": "kill",
                "reached": True,
                "frontier": [
                    {"topic": "clicks", "partition": 0, "fetched": 3, "committed": None, "end": 12}
                ],
                "in_flight": [],
                "replica": None,
                "survivors": 0,
            }
        ],
        "outcome": "counted twice",
        "reason": None,
        "checks": [
            {
                "name": "clicks per link",
                "outcome": "counted twice",
                "lost": 0,
                "counted_twice": 3,
                "keys": [
                    {"key": {"code": "link-1"}, "expected": 1, "actual": 2},
                    {
                        "key": {"code": "link-2", "currency": "EUR"},
                        "expected": "120.50",
                        "actual": "180.75",
                    },
                ],
                "keys_total": 3,
                "exposure": {"lost": 0, "counted_twice": 3},
            }
        ],
        "seconds": {
            "total": 0.93,
            "to_moment": 0.4,
            "restart": 0.3,
            "drain": 0.12,
            "audit": 0.02,
        },
        "evidence": ".killpoint/runs/r1/S02",
        "unexplained": False,
        "explained_by": None,
        "required": True,
        "lane": 1,
        "crash_state": None,
        "class": None,
    }


def test_keys_of_any_kind_and_script_are_written() -> None:
    difference = KeyDifference({"tag": "caf\u00e9", "price": Decimal("1.5"), "none": None}, 1, 0)
    checked = CheckResult("totals", Outcome.LOST, 1, 0, (difference,), 1)
    result = replace(passed(), clean_runs=(CleanRun(Outcome.LOST, None, "", (checked,)),))
    key = data_of(result)["clean_runs"][0]["checks"][0]["keys"][0]["key"]
    assert key == {"tag": "caf\u00e9", "price": "1.5", "none": None}
    assert "caf\u00e9" in result.to_json()


def test_amounts_are_integers_or_exact_texts() -> None:
    assert [amount(3), amount(None), amount(Decimal("120.5"))] == [3, None, "120.5"]
