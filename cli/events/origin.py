"""The events of a source, wherever it says they come from."""

from pathlib import Path

from killpoint.cli.config.source import SourceTable
from killpoint.cli.events.file import read_events
from killpoint.cli.events.generated import generate_events
from killpoint.faults.record import Record


def events_of(source: SourceTable, folder: Path, seed: str) -> list[Record]:
    """The records to produce, in order; none where a program of the user's produces them.

    Partition -1: the partitioner chooses. Timestamp 0: now. Raises ConfigError (`events`) or
    GenerateError (`generate`).
    """
    if source.events is not None:
        return read_events(folder / source.events, source.topic, source.partitions)
    if source.generate is not None:
        return generate_events(source.generate, source.topic, seed)
    return []
