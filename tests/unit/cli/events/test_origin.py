"""Where events come from."""

from pathlib import Path

from killpoint.cli.config.source import GenerateTable, SourceTable
from killpoint.cli.events.origin import events_of


def test_from_a_file_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"value": "x", "partition": 2}')
    source = SourceTable(topic="clicks", partitions=3, events="a.jsonl")
    (record,) = events_of(source, tmp_path, "")
    assert (record.topic, record.partition, record.value) == ("clicks", 2, b"x")


def test_from_templates(tmp_path: Path) -> None:
    source = SourceTable(topic="clicks", generate=GenerateTable(count=2, value="{{ i }}"))
    assert [record.value for record in events_of(source, tmp_path, "")] == [b"0", b"1"]


def test_a_program_of_the_users_produces_its_own(tmp_path: Path) -> None:
    assert events_of(SourceTable(topic="clicks", produce=("produce",)), tmp_path, "") == []
