"""What the broker's metadata say of topics, asked until they say what was asked for.

Counterpart: `kafka_control`. The answers to CreateTopics and DeleteTopics come before every part of
the broker knows of the change (KIP-500: metadata follow the controller's log).
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final

from kio.schema.errors import ErrorCode
from kio.schema.metadata.v12 import MetadataRequest, MetadataResponse
from kio.schema.metadata.v12.request import MetadataRequestTopic
from kio.schema.metadata.v12.response import MetadataResponseTopic
from kio.schema.types import TopicName

from killpoint.compose.kafka_rpc import ask
from killpoint.compose.log_offsets import stable_spans
from killpoint.faults.environment import Address
from killpoint.faults.position import TopicPartition

_LIMIT: Final = 30.0
_POLL: Final = 0.005


async def partitions_of(broker: Address, topics: Iterable[str]) -> list[TopicPartition]:
    """The partitions of those topics that exist. Raises OSError."""
    return [
        TopicPartition(topic.name, int(partition.partition_index))
        for topic in await _describe(broker, topics)
        if topic.name is not None and topic.error_code == ErrorCode.none
        for partition in topic.partitions
    ]


async def until_led(broker: Address, topics: Mapping[str, int]) -> None:
    """Wait until every partition has a leader that serves it. Raises OSError, TimeoutError.

    The metadata name a leader some milliseconds before the leader knows of it.
    """

    def led(topic: MetadataResponseTopic) -> bool:
        leaders = [partition for partition in topic.partitions if partition.leader_id >= 0]
        return topic.error_code == ErrorCode.none and len(leaders) == topics[topic.name or ""]

    async def served() -> bool:
        places = await partitions_of(broker, topics)
        return len(await stable_spans(broker, places)) == sum(topics.values())

    await _until(lambda: _each(broker, topics, led))
    await _until(served)


async def until_gone(broker: Address, topics: Iterable[str]) -> None:
    """Wait until no topic of these names is known. Raises OSError, TimeoutError."""

    def gone(topic: MetadataResponseTopic) -> bool:
        return topic.error_code == ErrorCode.unknown_topic_or_partition

    names = list(topics)
    await _until(lambda: _each(broker, names, gone))


async def _until(reached: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(_LIMIT):
        while True:
            if await reached():
                return
            await asyncio.sleep(_POLL)


async def _each(
    broker: Address, topics: Iterable[str], wanted: Callable[[MetadataResponseTopic], bool]
) -> bool:
    return all(wanted(topic) for topic in await _describe(broker, topics))


async def _describe(broker: Address, topics: Iterable[str]) -> tuple[MetadataResponseTopic, ...]:
    asked = tuple(MetadataRequestTopic(topic_id=None, name=TopicName(name)) for name in topics)
    request = MetadataRequest(
        topics=asked,
        allow_auto_topic_creation=False,  # to ask must not make what is asked for
        include_topic_authorized_operations=False,
    )
    answer = await ask(broker, request, MetadataResponse, limit=_LIMIT)
    return answer.topics
