"""The plain consumer of `consume`: reads a topic and prints how many records it had a second."""

import sys
from time import perf_counter

from confluent_kafka import Consumer


def main(broker: str, topic: str, group: str, count: int) -> float:
    """Consume `count` records; the time runs from the first batch of them to the last."""
    consumer = Consumer(
        {
            "bootstrap.servers": broker,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([topic])
    first = len(consumer.consume(1, 30.0))
    began = perf_counter()
    left = count - first
    while left > 0:
        batch = consumer.consume(min(left, 10_000), 10.0)
        if not batch:
            raise SystemExit(f"{left} records of {count} did not come")
        left -= len(batch)
    seconds = perf_counter() - began
    consumer.close()
    return (count - first) / seconds


if __name__ == "__main__":
    print(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
