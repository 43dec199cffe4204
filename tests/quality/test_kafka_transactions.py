"""Consume, transform, produce in Kafka transactions: the committed output has each event once.

The output is no table, so killpoint's audit says nothing of it: the test reads it back itself,
committed only, after each kill. What killpoint has to show is that its moments are seen and that
its kills and terminations do not disturb the consumer.
"""

import json
from collections import Counter

import pytest

from killpoint.checks.check import Check
from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.session.stack import Stack
from killpoint.faults.scenario import Scenario
from tests.support.planted import Hit, Planted, clicks, ids
from tests.support.planted_runs import Examiner, accusations, wrong_hits
from tests.support.reading import read_whole

pytestmark = [pytest.mark.timeout(600), pytest.mark.asyncio(loop_scope="session")]

NAME, OUTPUT = "kafka-transactions", "kafka-transactions-out"
CLEAN = Outcome.CLEAN
TRANSACTIONAL = Planted(
    NAME,
    "kafka_transactions.py",
    Guarantee.EFFECTIVELY_ONCE,
    (
        Hit("kafka.produce#2:before", CLEAN),
        Hit("kafka.produce#2:after", CLEAN),
        Hit("kafka.txn_offset_commit#2:before", CLEAN),
        Hit("kafka.txn_offset_commit#2:after", CLEAN),
        Hit("kafka.end_txn#2:before", CLEAN),
        Hit("kafka.end_txn#2:after", CLEAN),
        Hit("kafka.end_txn#2:before", CLEAN, "terminate"),
    ),
    schema="",
    check=Check("nothing in the database", "select 0 as rows", "select 0 as rows"),
    env={"OUTPUT_TOPIC": OUTPUT},
)


async def test_each_event_is_once_in_the_committed_output(
    examiner: Examiner, stack: Stack, every_moment: bool
) -> None:
    wrong: list[str] = []
    once = Counter(ids(clicks(NAME)))

    async def look(scenario: Scenario) -> None:
        output = await read_whole(stack.environment.broker, OUTPUT)
        found = Counter(str(json.loads(record.value or b"{}")["click"]["id"]) for record in output)
        if found != once:
            wrong.append(f"{scenario.faults[0]}: {found - once} too often, {once - found} missing")

    examined = await examiner.examine(TRANSACTIONAL, every_moment=every_moment, after_each=look)
    print(examined)
    assert wrong == [], str(examined)
    assert accusations(examined) == [], str(examined)
    assert examined.verdict.guarantee is TRANSACTIONAL.guarantee, str(examined)
    assert every_moment or wrong_hits(examined) == [], str(examined)
