"""Control of the run's Kafka: topics, records, offsets and members, past the proxies.

Counterpart: implements `faults.environment.Broker` over the broker of `kafka_server`. What blocks
runs in threads; nothing here joins a group.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from typing import Any, Final

from confluent_kafka import ConsumerGroupTopicPartitions as GroupOffsets
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka import TopicPartition as Assignment
from confluent_kafka.admin import AdminClient, NewTopic

from killpoint.compose.group_member import remove_member
from killpoint.compose.kafka_producer import RecordProducer
from killpoint.compose.kafka_reader import read_spans
from killpoint.compose.log_offsets import stable_spans
from killpoint.compose.topic_metadata import partitions_of, until_gone, until_led
from killpoint.faults.environment import Address, EnvironmentFailed
from killpoint.faults.events import Joined
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.record import Record

_LIMIT: Final = 30.0


class KafkaControl:
    """The control connections to one broker; made on first use, shared by all lanes."""

    def __init__(self, direct: Address) -> None:
        self._direct = direct
        self._admin = AdminClient({"bootstrap.servers": str(direct), "log_level": 0})
        self._producer: RecordProducer | None = None

    @property
    def direct(self) -> Address:
        """The address past the proxies, for producers and tools of the user's."""
        return self._direct

    async def create_topics(self, topics: Mapping[str, int]) -> None:
        """Create topics (name to number of partitions); returns when each has its leaders."""
        if not topics:
            return
        async with _failing(f"create the topics {', '.join(topics)}"):
            wanted = [NewTopic(name, count, 1) for name, count in topics.items()]
            await _all(self._admin.create_topics(wanted))
            await until_led(self._direct, topics)

    async def delete_topics(self, topics: Iterable[str]) -> None:
        """Delete topics; returns when they are gone. One that does not exist is no error."""
        names = list(topics)
        if not names:
            return
        async with _failing(f"delete the topics {', '.join(names)}"):
            deleting = self._admin.delete_topics(names)
            await _all(deleting, KafkaError.UNKNOWN_TOPIC_OR_PART)
            await until_gone(self._direct, names)

    async def produce(self, records: Sequence[Record]) -> list[Position]:
        """Send records in order; returns the place of each, as the broker acknowledged it."""
        if self._producer is None:
            self._producer = RecordProducer(self._direct)
        async with _failing(f"take {len(records)} records"):
            return await asyncio.to_thread(self._producer.send, records)

    async def read(self, topics: Iterable[str]) -> list[Record]:
        """Read topics whole, read_committed, by partition and offset."""
        names = list(topics)
        async with _failing(f"read {', '.join(names)}"):
            spans = await stable_spans(self._direct, await partitions_of(self._direct, names))
            return await asyncio.to_thread(read_spans, self._direct, spans)

    async def commit_offsets(self, group: str, positions: Iterable[Position]) -> None:
        """Set a group's offsets, of a group that exists or not; it must have no members."""
        offsets = [Assignment(p.topic, p.partition, p.offset) for p in positions]
        if not offsets:
            return
        async with _failing(f"set the offsets of group {group}"):
            wanted = [GroupOffsets(group, offsets)]
            for answer in await _all(self._admin.alter_consumer_group_offsets(wanted)):
                _require_each(answer)

    async def delete_group(self, group: str) -> None:
        """Forget a group; one that does not exist is no error."""
        async with _failing(f"delete group {group}"):
            deleting = self._admin.delete_consumer_groups([group])
            await _all(deleting, KafkaError.GROUP_ID_NOT_FOUND)

    async def committed(self, group: str) -> dict[TopicPartition, int]:
        """The group's committed next offsets; pending transactional ones are not among them."""
        async with _failing(f"tell the offsets of group {group}"):
            asking = self._admin.list_consumer_group_offsets([GroupOffsets(group)])
            answers = await _all(asking, KafkaError.GROUP_ID_NOT_FOUND)
            return {
                TopicPartition(offset.topic, offset.partition): offset.offset
                for answer in answers
                for offset in _require_each(answer)
                if offset.offset >= 0
            }

    async def remove_member(self, member: Joined) -> None:
        """Take a dead member out of its group at once (LeaveGroup, or a heartbeat of epoch -1)."""
        async with _failing(f"remove {member.member} from group {member.group}"):
            await remove_member(self._direct, member)

    async def close(self) -> None:
        """Close the control connections."""
        if self._producer is not None:
            await asyncio.to_thread(self._producer.close)
            self._producer = None


# The futures of confluent_kafka carry no types: what comes of them is Any, here and nowhere else.


async def _result(future: "Future[Any]") -> Any:
    # Shielded: librdkafka's thread must not find its future cancelled when it answers.
    return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), _LIMIT)


async def _all(futures: "Mapping[Any, Future[Any]]", forgiven: int | None = None) -> list[Any]:
    """The results of all; an error of the code `forgiven` leaves its result out."""
    answers: list[Any] = []
    for future in futures.values():
        try:
            answers.append(await _result(future))
        except KafkaException as error:
            if error.args[0].code() != forgiven:
                raise
    return answers


def _require_each(answer: Any) -> list[Assignment]:
    """The partitions of an answer about a group; each can carry an error of its own."""
    offsets: list[Assignment] = list(answer.topic_partitions)
    for offset in offsets:
        if offset.error is not None:
            raise KafkaException(offset.error)
    return offsets


@asynccontextmanager
async def _failing(what: str) -> AsyncIterator[None]:
    """Errors of the broker and of the way to it, as EnvironmentFailed."""
    try:
        yield
    except (KafkaException, OSError) as error:
        reason = error.args[0].str() if isinstance(error, KafkaException) else str(error)
        raise EnvironmentFailed(
            f"Kafka could not {what}: {reason or type(error).__name__}. Its log is in the run's "
            "folder while it runs; `killpoint doctor` checks the installation."
        ) from error
