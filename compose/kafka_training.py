"""What a broker is used for once before its folder is cached.

It makes the broker's internal topics, so that the first group and the first transaction of a run do
not wait for them, and it runs the code that the start-up cache (AOT) is to hold. A program of its
own, so that it can be ended at any time: `python -m killpoint.compose.kafka_training HOST:PORT`.
"""

import asyncio
import sys
from typing import Final

from confluent_kafka import Consumer, KafkaException, Producer

from killpoint.compose.kafka_control import KafkaControl
from killpoint.faults.environment import Address

_TOPIC: Final = "killpoint-preparation"
_RECORDS: Final = 12
_LIMIT: Final = 120.0


async def train(broker: Address) -> None:
    """Produce, consume and forget again. Raises EnvironmentFailed, KafkaException, TimeoutError."""
    control = KafkaControl(broker)
    try:
        await control.create_topics({_TOPIC: 1})
        await asyncio.to_thread(_produce, str(broker))
        for protocol in ("classic", "consumer"):
            await control.delete_group(await asyncio.to_thread(_consume, str(broker), protocol))
        await control.read([_TOPIC], lambda batch: None)
        await control.delete_topics([_TOPIC])
    finally:
        await control.close()


def _produce(broker: str) -> None:
    producer = Producer({"bootstrap.servers": broker, "transactional.id": _TOPIC, "linger.ms": 0})
    producer.init_transactions(_LIMIT)
    producer.begin_transaction()
    for number in range(_RECORDS):
        producer.produce(_TOPIC, key=str(number), value=b"{}")
    producer.commit_transaction(_LIMIT)


def _consume(broker: str, protocol: str) -> str:
    group = f"{_TOPIC}-{protocol}"
    consumer = Consumer(
        {
            "bootstrap.servers": broker,
            "group.id": group,
            "group.protocol": protocol,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([_TOPIC])
    for _ in range(_RECORDS):
        message = consumer.poll(_LIMIT)
        if message is None:
            raise TimeoutError(f"no record within {_LIMIT:.0f} s")
        if (error := message.error()) is not None:
            raise KafkaException(error)
    consumer.commit(asynchronous=False)
    consumer.close()
    return group


if __name__ == "__main__":
    _host, _port = sys.argv[1].rsplit(":", 1)
    asyncio.run(train(Address(_host, int(_port))))
