"""The frontier: how far each partition was fetched and committed at one instant."""

from dataclasses import dataclass

from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.position import TopicPartition
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch


@dataclass(frozen=True, slots=True)
class FrontierEntry:
    """Next offsets of one partition; None where the target had not fetched or committed."""

    topic: str
    partition: int
    fetched: int | None
    committed: int | None
    end: int


async def frontier_of(stage: Stage, watch: Watch) -> tuple[FrontierEntry, ...]:
    """One entry for each partition of the sources; the committed offsets are the broker's own."""
    committed: dict[TopicPartition, int] = {}
    for group in watch.groups:
        try:
            committed.update(await stage.broker.committed(group))
        except EnvironmentFailed:
            committed.update(watch.progress.committed)
    fetched = watch.progress.life.fetched
    return tuple(
        FrontierEntry(p.topic, p.partition, fetched.get(p), committed.get(p), end)
        for p, end in sorted(stage.ends.items())
    )
