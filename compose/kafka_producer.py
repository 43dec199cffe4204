"""Sending the records of a run to the broker, past the proxies, in order.

Counterpart: `kafka_control` calls it in a thread. It sends as a careful producer of the user's
would: acks=all, idempotent (KIP-98), and keys are spread as Kafka's Java client spreads them.
"""

from collections.abc import Sequence
from typing import Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from killpoint.faults.environment import Address
from killpoint.faults.position import Position
from killpoint.faults.record import Record

_LIMIT: Final = 30.0
_BACKLOG_POLL: Final = 0.1


class RecordProducer:
    """A producer that is kept for the run; its methods block."""

    def __init__(self, broker: Address) -> None:
        self._producer = Producer(
            {
                "bootstrap.servers": str(broker),
                "enable.idempotence": True,
                # With more, a batch can be acknowledged by its successor, without its offsets.
                "max.in.flight": 1,
                "partitioner": "murmur2_random",
                "linger.ms": 0,
                "message.timeout.ms": int(_LIMIT * 1000),
                "log_level": 0,
            }
        )

    def send(self, records: Sequence[Record]) -> list[Position]:
        """Send and wait for every acknowledgement. Raises KafkaException, TimeoutError."""
        reports: dict[int, Message | KafkaError] = {}
        for topic in {record.topic for record in records}:
            self._producer.list_topics(topic, _LIMIT)  # else it finds a new one 100 ms later
        for number, record in enumerate(records):
            self._enqueue(number, record, reports)
        unsent = self._producer.flush(_LIMIT)
        if unsent or len(reports) < len(records):
            raise TimeoutError(f"{unsent} records were not acknowledged within {_LIMIT:.0f} s")
        return [_place(reports[number]) for number in range(len(records))]

    def close(self) -> None:
        """Give up what was not sent."""
        self._producer.purge()
        self._producer.close()

    def _enqueue(
        self, number: int, record: Record, reports: dict[int, Message | KafkaError]
    ) -> None:
        def delivered(error: KafkaError | None, message: Message) -> None:
            reports[number] = message if error is None else error

        while True:
            try:
                return self._producer.produce(
                    record.topic,
                    key=record.key,
                    value=record.value,
                    partition=record.partition,
                    timestamp=record.timestamp,
                    headers=list(record.headers),
                    on_delivery=delivered,
                )
            except BufferError:  # its queue is full until some are acknowledged
                self._producer.poll(_BACKLOG_POLL)


def _place(report: Message | KafkaError) -> Position:
    if isinstance(report, KafkaError):
        raise KafkaException(report)
    topic, partition, offset = report.topic(), report.partition(), report.offset()
    if topic is None or partition is None or offset is None:
        raise ValueError("an acknowledged record has no place")
    return Position(topic, partition, offset)
