"""The offsets at which a partition's log starts and ends, as its leader says (ListOffsets).

Counterpart: `topic_metadata` waits for leaders with it, `kafka_control` learns what can be read.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from kio.schema.errors import ErrorCode
from kio.schema.list_offsets.v8 import ListOffsetsRequest, ListOffsetsResponse
from kio.schema.list_offsets.v8.request import ListOffsetsPartition, ListOffsetsTopic
from kio.schema.types import BrokerId, TopicName
from kio.static.primitive import i8, i32, i64

from killpoint.compose.kafka_rpc import ask
from killpoint.faults.environment import Address
from killpoint.faults.position import Span, TopicPartition

_LIMIT: Final = 10.0
_START: Final = i64(-2)
_END: Final = i64(-1)
_READ_COMMITTED: Final = i8(1)
_CLIENT: Final = BrokerId(-1)


async def stable_spans(broker: Address, places: Iterable[TopicPartition]) -> list[Span]:
    """From the start to the last stable offset, which read_committed can reach (KIP-98).

    Partitions without a leader that serves them are left out. Raises OSError.
    """
    wanted = sorted(places)
    starts = await _offsets(broker, wanted, _START)
    ends = await _offsets(broker, wanted, _END)
    return [
        Span(place.topic, place.partition, starts[place], ends[place])
        for place in wanted
        if place in starts and place in ends
    ]


async def _offsets(
    broker: Address, places: list[TopicPartition], which: i64
) -> dict[TopicPartition, int]:
    topics = tuple(
        ListOffsetsTopic(name=TopicName(topic), partitions=_partitions(group, which))
        for topic, group in groupby(places, key=lambda place: place.topic)
    )
    request = ListOffsetsRequest(replica_id=_CLIENT, isolation_level=_READ_COMMITTED, topics=topics)
    answer = await ask(broker, request, ListOffsetsResponse, limit=_LIMIT)
    return {
        TopicPartition(topic.name, int(partition.partition_index)): int(partition.offset)
        for topic in answer.topics
        for partition in topic.partitions
        if partition.error_code == ErrorCode.none
    }


def _partitions(places: Iterable[TopicPartition], which: i64) -> tuple[ListOffsetsPartition, ...]:
    return tuple(
        ListOffsetsPartition(partition_index=i32(place.partition), timestamp=which)
        for place in places
    )
