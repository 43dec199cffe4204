"""The models: defaults, and the spellings that mean the same."""

from typing import Any

import pytest
from pydantic import ValidationError

from killpoint.cli.config.configuration import Configuration
from killpoint.faults.moment import Moment, Side
from killpoint.faults.scenario import Fault, Scenario

MISTAKES: list[dict[str, Any]] = [
    {"source": []},
    {"target": {"command": [""]}},
    {"target": {"command": ["true"], "restart_limit": True}},
    {"target": {"image": "a", "spare": True}},
    {"target": {"command": ["a"], "spare": True, "after_start": ["b"]}},
    {"run": {"actions": ["pause"]}},
    {"scenario": [{"faults": []}]},
    {"moments": {"start": "start"}},
    {"database": {"schema_file": "schema.sql"}},
]


def configuration(**more: Any) -> Configuration:
    least: dict[str, Any] = {
        "target": {"command": ["true"]},
        "source": {"topic": "clicks", "events": "clicks.jsonl"},
        "check": [{"name": "n", "expected": "select 1", "actual": "select 1"}],
    }
    return Configuration.model_validate({**least, **more})


def test_the_least_configuration_has_the_defaults_of_the_contract() -> None:
    found = configuration()
    assert (found.target.restart, found.target.restart_limit) == ("always", 5)
    assert found.target.start_timeout == 60.0
    assert (found.source[0].partitions, found.source[0].group_start) == (1, "committed")
    assert found.database.schema_file is None
    assert found.moments.start == "first record"
    assert found.moments.ignore_tables == ("flyway_schema_history", "shedlock")
    assert (found.run.actions, found.run.require, found.run.drain_timeout) == (
        ("kill",),
        None,
        30.0,
    )


def test_one_source_is_a_list_of_one() -> None:
    source = {"topic": "clicks", "events": "clicks.jsonl"}
    assert configuration(source=[source]) == configuration(source=source)
    assert len(configuration(source=[source, {**source, "topic": "views"}]).source) == 2


def test_a_scenario_becomes_plain_data_that_is_required() -> None:
    faults = [{"at": "postgres.commit#2:after", "action": "kill"}]
    found = configuration(scenario=[{"name": "deploy", "faults": faults}])
    moment = Moment("postgres", "commit", Side.AFTER, number=2)
    expected = Scenario("S01", (Fault(moment, "kill"),), "deploy", required=True)
    assert found.scenario[0].as_scenario("S01") == expected


@pytest.mark.parametrize("more", MISTAKES)
def test_refused(more: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        configuration(**more)


def test_durations_are_seconds() -> None:
    assert configuration(run={"drain_timeout": "1.5m"}).run.drain_timeout == 90.0
