"""A consumer that marks each batch it has counted with an event in the topic that it reads.

It knows its own events by their header and leaves them uncounted. Count, then save.
"""

import json
import os

import psycopg
from confluent_kafka import Consumer, Message, Producer
from counter import COUNT

KAFKA = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
TOPIC = os.environ["KILLPOINT_TOPIC"]


def own(event: Message) -> bool:
    """Whether this program wrote the event."""
    return "counted" in dict(event.headers() or [])


def main() -> None:
    """Count until it is killed."""
    producer = Producer({"bootstrap.servers": KAFKA})
    consumer = Consumer(
        {
            "bootstrap.servers": KAFKA,
            "group.id": os.environ["KILLPOINT_GROUP"],
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([TOPIC])
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        while True:
            events = consumer.consume(3, timeout=0.2)
            clicks = [event for event in events if not own(event)]
            if clicks:
                codes = [json.loads(click.value() or b"{}")["code"] for click in clicks]
                with connection.transaction():
                    for code in codes:
                        connection.execute(COUNT, [code])
                mark = json.dumps({"code": codes[-1]})
                producer.produce(TOPIC, mark, headers={"counted": str(len(codes))})
                producer.flush()
            if events:
                consumer.commit(asynchronous=False)


if __name__ == "__main__":
    main()
