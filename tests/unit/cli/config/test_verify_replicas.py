"""One replica can die alone only where there are several that are told apart."""

from typing import Any

import pytest

from killpoint.cli.config.target import TargetTable
from killpoint.cli.config.verify_replicas import refusal, unknown_replica
from killpoint.faults.moment_parser import parse_moment

SECOND = parse_moment("postgres.commit{replica=2}#1:after")


def target(**keys: Any) -> TargetTable:
    return TargetTable.model_validate({"command": ["count"], "replicas": 2, **keys})


@pytest.mark.parametrize(
    ("keys", "word"),
    [
        ({"replicas": 1}, "there is one"),
        ({"answer_at": {"kafka": "localhost:9092"}}, "answer_at leads all replicas to one place"),
    ],
)
def test_one_that_cannot_die_alone(keys: dict[str, Any], word: str) -> None:
    found = refusal("one", target(**keys))
    assert found is not None and word in found[0]
    named = unknown_replica([SECOND], target(**keys))
    assert named is not None and word in named[0]


def test_those_of_a_compose_file_are_told_apart() -> None:
    told = {"kafka": "broker:29092"}
    composed = TargetTable.model_validate(
        {"compose": "compose.yaml", "service": "counter", "replicas": 2, "answer_at": told}
    )
    assert refusal("one", composed) is None
    assert unknown_replica([SECOND], composed) is None


def test_what_can_be_done_is_no_problem() -> None:
    assert refusal("one", target()) is None
    assert refusal("all", target(replicas=1)) is None
    assert unknown_replica([SECOND, parse_moment("kafka.join:after")], target()) is None


def test_a_replica_that_is_not_there() -> None:
    third = parse_moment("postgres.commit{replica=3}#1:after")
    found = unknown_replica([third], target())
    assert found is not None and found[1] == "they are numbered 1 to 2"
