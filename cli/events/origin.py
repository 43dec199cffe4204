"""The events of a source, wherever it says they come from, and the schema of their values."""

from pathlib import Path

from killpoint.cli.config.source import SourceTable
from killpoint.cli.events.file import read_events
from killpoint.cli.events.generated import generate_events
from killpoint.cli.formats.codec import Schema
from killpoint.faults.record import Record


def schema_of(source: SourceTable, folder: Path) -> Schema | None:
    """The schema of a source's values, if they have one. Raises OSError, UnicodeDecodeError."""
    if source.format is None or source.schema_file is None:
        return None
    file = folder / source.schema_file
    return Schema(source.format, file.read_text("utf-8"), file.parent, source.message)


def events_of(source: SourceTable, folder: Path, seed: str) -> list[Record]:
    """The records to produce, in order; none where a program of the user's produces them.

    Values are not encoded yet. Partition -1: the partitioner chooses. Timestamp 0: now. Raises
    ConfigError (`events`) or GenerateError (`generate`).
    """
    if source.events is not None:
        return read_events(folder / source.events, source.topic, source.partitions)
    if source.generate is not None:
        return generate_events(source.generate, source.topic, seed)
    return []
