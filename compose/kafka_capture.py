"""Reading the last records of a topic of somebody else's Kafka: no group, nothing committed.

Counterpart: `killpoint capture` masks them and writes them to a file. Unlike the run's own broker
this one may need settings of its own (TLS, SASL), which librdkafka takes by its own names.
"""

import time
from collections.abc import Mapping
from typing import Final

from confluent_kafka import Consumer, KafkaException
from confluent_kafka import TopicPartition as Assignment

from killpoint.compose.kafka_reader import read_from
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.position import Span
from killpoint.faults.record import Record

_SECONDS: Final = 20.0


def last_records(
    brokers: str, topic: str, count: int, settings: Mapping[str, str] | None = None
) -> list[Record]:
    """At most `count` records, the latest of all partitions, in the order of their timestamps.

    Blocks. Raises EnvironmentFailed if the broker cannot be reached or has no such topic.
    """
    consumer = Consumer(
        {
            "bootstrap.servers": brokers,
            "group.id": "killpoint-capture",  # asked for, never joined
            "enable.auto.commit": False,
            "allow.auto.create.topics": False,
            "isolation.level": "read_committed",
            "auto.offset.reset": "error",
            "enable.partition.eof": True,
            "log_level": 0,
            **(settings or {}),
        }
    )
    try:
        records = read_from(consumer, _tails(consumer, topic, count))
    except (KafkaException, TimeoutError) as error:
        raise EnvironmentFailed(f"{brokers} could not be read: {_words(error)}") from error
    finally:
        consumer.close()
    latest = sorted(records, key=lambda record: (record.timestamp, record.partition, record.offset))
    return latest[-count:]


def _tails(consumer: Consumer, topic: str, count: int) -> list[Span]:
    """The last `count` offsets of each partition: which of them are the latest is not known yet."""
    found = consumer.list_topics(topic, timeout=_SECONDS).topics[topic]
    if found.error is not None or not found.partitions:
        raise EnvironmentFailed(f"there is no topic {topic}: {found.error}")
    deadline = time.monotonic() + _SECONDS
    spans: list[Span] = []
    for partition in sorted(found.partitions):
        left = max(1.0, deadline - time.monotonic())
        low, high = consumer.get_watermark_offsets(Assignment(topic, partition), timeout=left)
        spans.append(Span(topic, partition, max(low, high - count), high))
    return spans


def _words(error: KafkaException | TimeoutError) -> str:
    first = error.args[0] if error.args else error
    return str(getattr(first, "str", lambda: first)())
