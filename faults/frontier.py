"""The frontier: how far each partition was fetched and committed at one instant."""

from collections.abc import Mapping
from dataclasses import dataclass

from killpoint.faults.position import TopicPartition


@dataclass(frozen=True, slots=True)
class FrontierEntry:
    """Next offsets of one partition; None where the target had not fetched or committed."""

    topic: str
    partition: int
    fetched: int | None
    committed: int | None
    end: int


def frontier(
    fetched: Mapping[TopicPartition, int],
    committed: Mapping[TopicPartition, int],
    ends: Mapping[TopicPartition, int],
) -> tuple[FrontierEntry, ...]:
    """One entry for each partition of the sources, by topic and partition."""
    return tuple(
        FrontierEntry(p.topic, p.partition, fetched.get(p), committed.get(p), end)
        for p, end in sorted(ends.items())
    )
