"""Requests of transactional and idempotent producers other than Produce (KIP-98, KIP-890).

Counterpart: `kafka_apis` has the table of keys; the offsets of a transaction are `kafka_offsets`.
"""

from kio.schema.errors import ErrorCode

from killpoint.faults.events import (
    EndTxnAnswered,
    EndTxnAsked,
    Event,
    GroupNamed,
    ProducerStarted,
)
from killpoint.faults.wire.kafka_codec import Message
from killpoint.faults.wire.kafka_exchange import Conversation, Reading, error_name


def init_producer_id(_: Conversation, __: int, request: Message) -> Reading:
    """InitProducerId: fences older producers of the same transactional id."""
    transaction: str | None = request.transactional_id

    def answered(answer: Message) -> tuple[Event, ...]:
        if answer.error_code != ErrorCode.none:
            return ()
        return (ProducerStarted(transaction, answer.producer_id, answer.producer_epoch),)

    return Reading((), answered, effect=True)


def add_partitions_to_txn(_: Conversation, __: int, ___: Message) -> Reading:
    """AddPartitionsToTxn: no event, but the transaction is open from then on."""
    return Reading(effect=True)


def add_offsets_to_txn(_: Conversation, __: int, request: Message) -> Reading:
    """AddOffsetsToTxn: announces that offsets of a group will follow."""
    return Reading((GroupNamed(request.group_id),), effect=True)


def end_txn(_: Conversation, exchange: int, request: Message) -> Reading:
    """EndTxn: commits or aborts."""
    transaction: str = request.transactional_id
    committed: bool = request.committed

    def answered(answer: Message) -> tuple[Event, ...]:
        code = answer.error_code
        error = None if code == ErrorCode.none else error_name(code)
        return (EndTxnAnswered(exchange, transaction, committed, error),)

    return Reading((EndTxnAsked(exchange, transaction, committed),), answered, effect=True)
