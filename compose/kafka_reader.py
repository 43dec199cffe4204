"""Reading topics whole, as a consumer with isolation read_committed sees them.

Counterpart: `kafka_control` calls it in a thread. A partition is at its end when the consumer's
position is: control records and aborted transactions leave holes at any place, the last included.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from confluent_kafka import Consumer, KafkaError, KafkaException, Message
from confluent_kafka import TopicPartition as Assignment

from killpoint.faults.environment import Address
from killpoint.faults.position import Span
from killpoint.faults.record import Headers, Record

_LIMIT: Final = 60.0
_POLL: Final = 0.5
BATCH: Final = 10_000
"""So many records are held at once."""


def read_spans(
    broker: Address, spans: Iterable[Span], take: Callable[[Sequence[Record]], None]
) -> None:
    """Give `take` all records of the spans (up to the last stable offsets), batch by batch.

    They come by topic, partition and offset. Blocks. Raises KafkaException, TimeoutError.
    """
    groups = list(_groups(spans))
    if not groups:
        return
    consumer = _consumer(broker)
    try:
        for group in groups:
            if len(group) > 1:
                take(read_from(consumer, group))
            else:  # one partition's come in their order, however many there are
                for batch in _batches(_read(consumer, group)):
                    take(batch)
    finally:
        consumer.close()


def read_from(consumer: Consumer, spans: Iterable[Span]) -> list[Record]:
    """All records of the spans, in order, by a consumer that stops at the ends of partitions."""
    wanted = [span for span in spans if span.first < span.next]
    return sorted(_read(consumer, wanted), key=lambda r: (r.topic, r.partition, r.offset))


def _groups(spans: Iterable[Span]) -> Iterator[list[Span]]:
    """Neighbours that are read together: of several partitions at most a batch, else one alone.

    Several at once come in any order, and many small ones one by one would take long.
    """
    group: list[Span] = []
    size = 0
    for span in sorted(spans, key=lambda s: (s.topic, s.partition)):
        if span.first >= span.next:
            continue
        size += span.next - span.first
        if group and size > BATCH:
            yield group
            group, size = [], span.next - span.first
        group.append(span)
    if group:
        yield group


def _batches(records: Iterator[Record]) -> Iterator[list[Record]]:
    while batch := list(islice(records, BATCH)):
        yield batch


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
            # By default it pauses for a second with 100,000 records fetched and not given out.
            "fetch.queue.backoff.ms": 1,
            "queued.min.messages": 2 * BATCH,
            "log_level": 0,
        }
    )


def _read(consumer: Consumer, spans: Sequence[Span]) -> Iterator[Record]:
    # By number: "the beginning" is asked for half a second later where the broker is new.
    consumer.assign([Assignment(s.topic, s.partition, s.first) for s in spans])
    left = {(span.topic, span.partition): span.next for span in spans}
    ends = dict(left)
    deadline = time.monotonic() + _LIMIT
    while left:
        if time.monotonic() > deadline:
            places = ", ".join(f"{topic}-{partition}" for topic, partition in left)
            raise TimeoutError(f"the end of {places} was not reached")
        for message in _arrived(consumer):
            topic, partition, offset = message.topic(), message.partition(), message.offset()
            if topic is None or partition is None or offset is None:
                raise ValueError("a fetched record has no place")
            if (error := message.error()) is not None:
                _require_end(error)
                if offset >= ends[topic, partition]:
                    left.pop((topic, partition), None)
            elif offset < ends[topic, partition]:
                deadline = time.monotonic() + _LIMIT
                key, value, (_, sent) = message.key(), message.value(), message.timestamp()
                yield Record(topic, partition, offset, key, value, _headers(message), sent)


def _arrived(consumer: Consumer) -> list[Message]:
    """Wait for one message, and take with it what else is there: one by one costs twice as much."""
    first = consumer.poll(_POLL)
    return [] if first is None else [first, *consumer.consume(BATCH, 0)]


def _require_end(error: KafkaError) -> None:
    # The one error that is none: the position is at the end, as told to everybody who asks for it.
    if error.code() != KafkaError._PARTITION_EOF:  # pyright: ignore[reportPrivateUsage]
        raise KafkaException(error)


def _headers(message: Message) -> Headers:
    headers = message.headers()
    if not headers:
        return ()
    pairs = headers.items() if isinstance(headers, dict) else headers
    return tuple(
        (name, value.encode() if isinstance(value, str) else value) for name, value in pairs
    )
