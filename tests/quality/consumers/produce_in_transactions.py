"""Produces clicks in transactions, of which every second one is aborted, the last one too.

What is left has holes in its offsets: control records and aborted ones.
"""

import json
import os

from confluent_kafka import Producer

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
TOPIC = os.environ["KILLPOINT_TOPIC"]
TRANSACTIONS = 8
CLICKS = 3


def produce(producer: Producer, transaction: int) -> None:
    """Produce the clicks of one transaction, without its end."""
    producer.begin_transaction()
    for number in range(CLICKS):
        code = f"link-{transaction}-{number}"
        event = {"id": f"click-{transaction}-{number}", "code": code, "preview": False}
        producer.produce(TOPIC, json.dumps(event).encode(), code.encode())
    producer.flush()


def main() -> None:
    """Commit and abort in turns."""
    producer = Producer({"bootstrap.servers": KAFKA, "transactional.id": f"{TOPIC}-producer"})
    producer.init_transactions()
    for transaction in range(TRANSACTIONS):
        produce(producer, transaction)
        if transaction % 2:
            producer.abort_transaction()
        else:
            producer.commit_transaction()


if __name__ == "__main__":
    main()
