"""Reading topics whole, as a consumer with isolation read_committed sees them.

Counterpart: `kafka_control` calls it in a thread. A partition is at its end when the consumer's
position is: control records and aborted transactions leave holes at any place, the last included.
"""

import time
from collections.abc import Iterable, Iterator
from typing import Final

from confluent_kafka import Consumer, KafkaError, KafkaException, Message
from confluent_kafka import TopicPartition as Assignment

from killpoint.faults.environment import Address
from killpoint.faults.position import Span, TopicPartition
from killpoint.faults.record import Record

_LIMIT: Final = 60.0
_POLL: Final = 0.5


def read_spans(broker: Address, spans: Iterable[Span]) -> list[Record]:
    """All records of the spans (up to the last stable offsets), by partition and offset.

    Blocks. Raises KafkaException, TimeoutError.
    """
    wanted = [span for span in spans if span.first < span.next]
    if not wanted:
        return []
    consumer = _consumer(broker)
    try:
        return read_from(consumer, wanted)
    finally:
        consumer.close()


def read_from(consumer: Consumer, spans: Iterable[Span]) -> list[Record]:
    """The same by a consumer of the caller's, which stops at the ends of partitions."""
    wanted = [span for span in spans if span.first < span.next]
    # By number: "the beginning" is asked for half a second later where the broker is new.
    consumer.assign([Assignment(s.topic, s.partition, s.first) for s in wanted])
    ends = {span.place: span.next for span in wanted}
    return sorted(_read(consumer, ends), key=lambda r: (r.topic, r.partition, r.offset))


def _consumer(broker: Address) -> Consumer:
    return Consumer(
        {
            "bootstrap.servers": str(broker),
            "group.id": "killpoint",  # asked for, never joined: partitions are assigned by hand
            "enable.auto.commit": False,
            "isolation.level": "read_committed",
            "auto.offset.reset": "error",
            "enable.partition.eof": True,
            "fetch.wait.max.ms": 1,
            "log_level": 0,
        }
    )


def _read(consumer: Consumer, ends: dict[TopicPartition, int]) -> Iterator[Record]:
    deadline = time.monotonic() + _LIMIT
    left = dict(ends)
    while left:
        if time.monotonic() > deadline:
            raise TimeoutError(f"the end of {', '.join(map(str, left))} was not reached")
        message = consumer.poll(_POLL)
        if message is None:
            continue
        place = TopicPartition(message.topic() or "", message.partition() or 0)
        if (error := message.error()) is not None:
            _require_end(error)
            if _offset(message) >= ends[place]:
                left.pop(place, None)
        elif _offset(message) < ends[place]:
            yield _record(place, message)


def _require_end(error: KafkaError) -> None:
    # The one error that is none: the position is at the end, as told to everybody who asks for it.
    if error.code() != KafkaError._PARTITION_EOF:  # pyright: ignore[reportPrivateUsage]
        raise KafkaException(error)


def _record(place: TopicPartition, message: Message) -> Record:
    return Record(
        place.topic,
        place.partition,
        _offset(message),
        message.key(),
        message.value(),
        tuple(_headers(message)),
        message.timestamp()[1],
    )


def _headers(message: Message) -> Iterator[tuple[str, bytes | None]]:
    headers = message.headers() or []
    for name, value in headers.items() if isinstance(headers, dict) else headers:
        yield name, value.encode() if isinstance(value, str) else value


def _offset(message: Message) -> int:
    offset = message.offset()
    if offset is None:
        raise ValueError("a fetched record has no offset")
    return offset
