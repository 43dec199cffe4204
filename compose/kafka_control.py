"""Control of the run's Kafka: topics, records, offsets and members, past the proxies.

Counterpart: implements `faults.environment.Broker` over the broker of `kafka_server`. What blocks
runs in threads; nothing here joins a group.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager

from confluent_kafka import KafkaException

from killpoint.compose.group_member import remove_member
from killpoint.compose.kafka_admin import KafkaAdmin
from killpoint.compose.kafka_producer import RecordProducer
from killpoint.compose.kafka_reader import read_spans
from killpoint.compose.log_offsets import stable_spans
from killpoint.compose.topic_metadata import partitions_of, until_gone, until_led
from killpoint.faults.environment import Address, EnvironmentFailed
from killpoint.faults.events import Member
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.record import Record


class KafkaControl:
    """The control connections to one broker, shared by all lanes."""

    def __init__(self, direct: Address) -> None:
        self._direct = direct
        self._admin = KafkaAdmin(direct)
        # At once, as librdkafka asks for an idempotent producer's number 500 ms after it was made.
        self._producer = RecordProducer(direct)

    @property
    def direct(self) -> Address:
        """The address past the proxies, for producers and tools of the user's."""
        return self._direct

    async def create_topics(self, topics: Mapping[str, int]) -> None:
        """Create topics (name to number of partitions); returns when each has its leaders."""
        if not topics:
            return
        async with _failing(f"create the topics {', '.join(topics)}"):
            await self._admin.create_topics(topics)
            await until_led(self._direct, topics)

    async def delete_topics(self, topics: Iterable[str]) -> None:
        """Delete topics; returns when they are gone. One that does not exist is no error."""
        names = list(topics)
        if not names:
            return
        async with _failing(f"delete the topics {', '.join(names)}"):
            await self._admin.delete_topics(names)
            await until_gone(self._direct, names)

    async def produce(self, records: Sequence[Record]) -> list[Position]:
        """Send records in order; returns the place of each, as the broker acknowledged it.

        The origin and the offset of a record are not looked at.
        """
        async with _failing(f"take {len(records)} records"):
            return await asyncio.to_thread(self._producer.send, records)

    async def read(self, topics: Iterable[str], take: Callable[[Sequence[Record]], None]) -> None:
        """Read topics whole, read_committed, by partition and offset, and give them in batches.

        `take` is called in a thread. A topic that does not exist is empty. Who produced a record is
        not known here: the origin of each is the default.
        """
        names = list(topics)
        async with _failing(f"read {', '.join(names)}"):
            places = await partitions_of(self._direct, names)
            spans = await stable_spans(self._direct, places)
            await asyncio.to_thread(read_spans, self._direct, spans, take)

    async def commit_offsets(self, group: str, positions: Iterable[Position]) -> None:
        """Set a group's offsets, of a group that exists or not; it must have no members."""
        wanted = list(positions)
        if not wanted:
            return
        async with _failing(f"set the offsets of group {group}"):
            await self._admin.set_offsets(group, wanted)

    async def delete_group(self, group: str) -> None:
        """Forget a group; one that does not exist is no error."""
        async with _failing(f"delete group {group}"):
            await self._admin.delete_group(group)

    async def committed(self, group: str) -> dict[TopicPartition, int]:
        """The group's committed next offsets; pending transactional ones are not among them."""
        async with _failing(f"tell the offsets of group {group}"):
            return await self._admin.offsets(group)

    async def members(self, group: str) -> list[Member]:
        """The members of a group of the classic protocol; none where it does not exist."""
        async with _failing(f"describe the group {group}"):
            return await self._admin.members(group)

    async def remove_member(self, member: Member) -> None:
        """Take a dead member out of its group at once (LeaveGroup, or a heartbeat of epoch -1)."""
        async with _failing(f"remove {member.member} from group {member.group}"):
            await remove_member(self._direct, member)

    async def close(self) -> None:
        """Close the control connections."""
        await asyncio.to_thread(self._producer.close)


@asynccontextmanager
async def _failing(what: str) -> AsyncGenerator[None]:
    """Errors of the broker and of the way to it, as EnvironmentFailed."""
    try:
        yield
    except (KafkaException, OSError) as error:
        reason = error.args[0].str() if isinstance(error, KafkaException) else str(error)
        raise EnvironmentFailed(
            f"Kafka could not {what}: {reason or type(error).__name__}. Run again; if it happens "
            "again, `killpoint doctor` checks the installation."
        ) from error
