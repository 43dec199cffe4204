"""Transactions of producers: their start, what they announce, their end."""

from typing import Any

import pytest
from kio.schema.errors import ErrorCode

from killpoint.faults.events import EndTxnAnswered, EndTxnAsked, GroupNamed, ProducerStarted
from tests.support.kafka_talk import NO_TIME, Talk, answer, request

PRODUCER: dict[str, Any] = {"producer_id": 5, "producer_epoch": 2}


@pytest.mark.parametrize("version", range(7))
@pytest.mark.parametrize("transaction", ["tx", None])
def test_a_producer_starts(version: int, transaction: str | None) -> None:
    talk = Talk()
    values: dict[str, Any] = {"transactional_id": transaction, "transaction_timeout": NO_TIME}
    asked = talk.client(request(22, version, **values))
    said = talk.server(answer(22, version, **PRODUCER))
    assert said.events == (ProducerStarted(transaction, 5, 2),)
    assert (asked.opens, said.closes) == ((1,), (1,))


def test_a_refused_start_is_none() -> None:
    talk = Talk()
    talk.client(request(22, 5, transactional_id="tx", transaction_timeout=NO_TIME))
    refused = answer(22, 5, error_code=ErrorCode.concurrent_transactions, **PRODUCER)
    said = talk.server(refused)
    assert (said.events, said.closes) == ((), (1,))


@pytest.mark.parametrize("version", range(6))
@pytest.mark.parametrize("committed", [True, False])
def test_a_transaction_ends(version: int, committed: bool) -> None:
    talk = Talk()
    asked = talk.client(
        request(26, version, transactional_id="tx", committed=committed, **PRODUCER)
    )
    said = talk.server(answer(26, version, **PRODUCER))
    assert asked.events == (EndTxnAsked(1, "tx", committed),)
    assert said.events == (EndTxnAnswered(1, "tx", committed, None),)
    assert (asked.opens, said.closes) == ((1,), (1,))


def test_a_refused_end_names_its_error() -> None:
    talk = Talk()
    talk.client(request(26, 5, transactional_id="tx", committed=True, **PRODUCER))
    said = talk.server(answer(26, 5, error_code=ErrorCode.invalid_producer_epoch, **PRODUCER))
    assert said.events == (EndTxnAnswered(1, "tx", True, "INVALID_PRODUCER_EPOCH"),)


def test_announcements_have_an_effect_but_no_event() -> None:
    talk = Talk()
    offsets = talk.client(request(25, 4, 1, transactional_id="tx", group_id="g", **PRODUCER))
    assert (offsets.events, offsets.opens) == ((GroupNamed("g"),), (1,))
    assert talk.server(answer(25, 4, 1)).closes == (1,)


def test_announced_partitions_have_an_effect() -> None:
    talk = Talk()
    said = talk.client(request(24, 5, 1, transactions=()))
    assert (said.events, said.opens) == ((), (1,))
    assert talk.server(answer(24, 5, 1, results_by_transaction=())).closes == (1,)
