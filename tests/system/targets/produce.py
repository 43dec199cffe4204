"""A program of the user's that produces the events itself."""

import os

from confluent_kafka import Producer

producer = Producer({"bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"]})
for number in range(6):
    value = f'{{"code": "made-{number}"}}'
    producer.produce(os.environ["KILLPOINT_TOPIC"], value, partition=0)
producer.flush()
