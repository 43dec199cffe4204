"""Places in a topic: one offset, and a span of records.

Plain data that the wire machines, the broker's control and the reports share.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class TopicPartition:
    """A partition of a topic."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A next offset: the first one not yet fetched, committed or written."""

    topic: str
    partition: int
    offset: int

    @property
    def place(self) -> TopicPartition:
        """The partition without the offset."""
        return TopicPartition(self.topic, self.partition)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Records of one partition in one frame: offsets `first` up to, not including, `next`."""

    topic: str
    partition: int
    first: int
    next: int

    @property
    def place(self) -> TopicPartition:
        """The partition without the offsets."""
        return TopicPartition(self.topic, self.partition)
