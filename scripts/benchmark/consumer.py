"""The plain consumer of `consume`: reads a topic and prints how many records it had a second."""

import sys
from time import perf_counter

from confluent_kafka import Consumer, TopicPartition


def main(broker: str, topic: str, group: str, count: int) -> float:
    """Consume `count` records; the time runs from the assignment to the last of them.

    Not from the first record: by then the client may have fetched more than it has given out.
    """
    assigned: list[float] = []

    def on_assign(_consumer: Consumer, _partitions: list[TopicPartition]) -> None:
        assigned.append(perf_counter())

    consumer = Consumer(
        {
            "bootstrap.servers": broker,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            # By default it pauses for a second whenever it has fetched 100,000 records more than
            # it has given out: the faster the broker, the more it stands still.
            "fetch.queue.backoff.ms": 0,
        }
    )
    consumer.subscribe([topic], on_assign=on_assign)
    left = count
    while left > 0:
        batch = consumer.consume(min(left, 10_000), 30.0)
        if not batch:
            raise SystemExit(f"{left} records of {count} did not come")
        left -= len(batch)
    seconds = perf_counter() - assigned[0]
    consumer.close()
    return count / seconds


if __name__ == "__main__":
    print(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
