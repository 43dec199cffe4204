"""The administrator's requests to Kafka, typed: a thin layer over confluent_kafka's AdminClient.

Counterpart: `kafka_control`. The futures of the library carry no types; what comes of them is Any
here, and nowhere else. Every method raises KafkaException (TimeoutError after a limit).
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Final

from confluent_kafka import ConsumerGroupTopicPartitions as GroupOffsets
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka import TopicPartition as Assignment
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from killpoint.faults.environment import Address
from killpoint.faults.events import Member, MemberNamed
from killpoint.faults.position import Position, TopicPartition

_LIMIT: Final = 30.0


class KafkaAdmin:
    """One administrator's connection to a broker."""

    def __init__(self, broker: Address) -> None:
        self._client = AdminClient({"bootstrap.servers": str(broker), "log_level": 0})

    async def create_topics(self, topics: Mapping[str, int]) -> None:
        """Create topics (name to number of partitions), each with one replica."""
        wanted = [NewTopic(name, count, 1) for name, count in topics.items()]
        await _all(self._client.create_topics(wanted))

    async def delete_topics(self, topics: Sequence[str]) -> None:
        """Delete topics; one that does not exist is no error."""
        deleting = self._client.delete_topics(list(topics))
        await _all(deleting, KafkaError.UNKNOWN_TOPIC_OR_PART)

    async def set_offsets(self, group: str, positions: Sequence[Position]) -> None:
        """Set the offsets of a group without members; it need not exist."""
        offsets = [Assignment(p.topic, p.partition, p.offset) for p in positions]
        setting = self._client.alter_consumer_group_offsets([GroupOffsets(group, offsets)])
        for answer in await _all(setting):
            _offsets(answer)

    async def offsets(self, group: str) -> dict[TopicPartition, int]:
        """The committed next offsets of a group; none where it does not exist."""
        asking = self._client.list_consumer_group_offsets([GroupOffsets(group)])
        answers = await _all(asking, KafkaError.GROUP_ID_NOT_FOUND)
        return {place: offset for answer in answers for place, offset in _offsets(answer)}

    async def members(self, group: str) -> list[Member]:
        """The members of a group of the classic protocol; none where it does not exist."""
        asking = self._client.describe_consumer_groups([group])
        return [
            MemberNamed(group, str(member.member_id), member.group_instance_id or None, "classic")
            for described in await _all(asking, KafkaError.GROUP_ID_NOT_FOUND)
            for member in described.members
        ]

    async def delete_group(self, group: str) -> None:
        """Delete a group; one that does not exist is no error."""
        deleting = self._client.delete_consumer_groups([group])
        await _all(deleting, KafkaError.GROUP_ID_NOT_FOUND)


async def _all(futures: "Mapping[str, Future[Any]]", forgiven: int | None = None) -> list[Any]:
    """The results of all; an error of the code `forgiven` leaves its result out."""
    answers: list[Any] = []
    for future in futures.values():
        try:
            # Shielded: librdkafka's thread must not find its future cancelled when it answers.
            shielded = asyncio.shield(asyncio.wrap_future(future))
            answers.append(await asyncio.wait_for(shielded, _LIMIT))
        except KafkaException as error:
            if error.args[0].code() != forgiven:
                raise
    return answers


def _offsets(answer: Any) -> list[tuple[TopicPartition, int]]:
    """The partitions of an answer about a group; each can carry an error of its own."""
    found: list[tuple[TopicPartition, int]] = []
    for offset in answer.topic_partitions:
        if offset.error is not None:
            raise KafkaException(offset.error)
        if offset.offset >= 0:
            found.append((TopicPartition(offset.topic, offset.partition), offset.offset))
    return found
