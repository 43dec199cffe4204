"""The ledger: events in SQL, parts of them, and what a query cannot do."""

import base64
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import duckdb
import pytest

from killpoint.checks.ledger import Ledger
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.record import Record


def record(offset: int, value: bytes | None = b"{}", partition: int = 0) -> Record:
    return Record("clicks", partition, offset, b"key", value)


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    # Offset 2 is a control record's.
    ledger = Ledger([record(0), record(1), record(3), record(0, partition=1)])
    yield ledger
    ledger.close()


def count(ledger: Ledger) -> int:
    return ledger.count


def only(record: Record) -> dict[str, object]:
    ledger = Ledger([record])
    columns, rows = ledger.query("select * from events where origin is not null")
    ledger.close()
    return dict(zip(columns, *rows, strict=True))


def test_columns() -> None:
    headers = (("id", b"1"), ("sent", b"\xc3\xb6"), ("id", b"2"), ("raw", b"\xff"), ("no", None))
    record = Record("clicks", 1, 7, b"k", b'{"a": [1.10]}', headers, 1_700_000_000_123, "target")
    event = only(record)
    assert str(event.pop("value")) == "{'a': [Decimal('1.10')]}"
    assert event == {
        "topic": "clicks",
        "partition": 1,
        "offset": 7,
        "key": "k",
        "value_bytes": b'{"a": [1.10]}',
        "headers": {"id": "2", "sent": "ö", "raw": None, "no": None},
        "timestamp": datetime(2023, 11, 14, 22, 13, 20, 123_000),
        "origin": "target",
    }


def test_types() -> None:
    ledger = Ledger([])
    kinds = dict(ledger.types("select * from events"))
    ledger.close()
    assert kinds == {
        "topic": "VARCHAR",
        "partition": "INTEGER",
        "offset": "BIGINT",
        "key": "VARCHAR",
        "value": "JSON",
        "value_bytes": "BLOB",
        "headers": "JSON",
        "timestamp": "TIMESTAMP",
        "origin": "VARCHAR",
    }


@pytest.mark.parametrize(
    "value", [None, b"", b"plain text", b"\xff\xfe", b"\x00\x00\x00\x00\x01abc"]
)
def test_what_is_not_json_is_null_and_keeps_its_bytes(value: bytes | None) -> None:
    event = only(record(0, value))
    assert (event["value"], event["value_bytes"]) == (None, value)


@pytest.mark.parametrize(("value", "parsed"), [(b'"text"', "text"), (b"12", 12), (b"[1]", [1])])
def test_json_of_every_kind(value: bytes, parsed: object) -> None:
    assert only(record(0, value))["value"] == parsed


@pytest.mark.parametrize(
    ("key", "text"), [(None, None), (b"", ""), (b"\xff", None), (b"a\0b", "a\0b")]
)
def test_keys(key: bytes | None, text: str | None) -> None:
    assert only(Record("clicks", 0, 0, key, b"1"))["key"] == text


@pytest.mark.parametrize("timestamp", [-1, 2**62])
def test_a_timestamp_that_is_none(timestamp: int) -> None:
    assert only(Record("clicks", 0, 0, b"k", b"1", (), timestamp))["timestamp"] is None


def test_count_and_ends(ledger: Ledger) -> None:
    assert ledger.count == 4
    assert ledger.ends([TopicPartition("clicks", 1), TopicPartition("other", 0)]) == {
        TopicPartition("clicks", 0): 4,
        TopicPartition("clicks", 1): 1,
        TopicPartition("other", 0): 0,
    }


def test_before_and_after_share_the_events(ledger: Ledger) -> None:
    positions = [Position("clicks", 0, 2), Position("other", 0, 9)]
    before, after = ledger.before(positions), ledger.after(positions)
    where = 'select partition, "offset" from events order by all'
    assert before.query(where)[1] == [(0, 0), (0, 1)]
    assert after.query(where)[1] == [(0, 3), (1, 0)]
    assert before.ends() == {TopicPartition("clicks", 0): 2}
    assert (before.count, after.count, ledger.count) == (2, 2, 4)


def test_without_positions_everything_is_still_to_come(ledger: Ledger) -> None:
    assert (ledger.before([]).count, ledger.after([]).count) == (0, 4)


def test_a_part_has_no_parts(ledger: Ledger) -> None:
    with pytest.raises(ValueError, match="ask the whole ledger"):
        ledger.before([]).after([])


@pytest.mark.parametrize(
    "sql",
    [
        "delete from records",
        "with gone as (delete from records returning *) select * from gone",
        "create table more as select 1",
        "drop table records",
    ],
)
def test_a_query_changes_nothing(ledger: Ledger, sql: str) -> None:
    with pytest.raises(duckdb.Error):
        ledger.query(sql)
    assert ledger.count == 4


def test_a_query_reaches_no_file_and_no_network(ledger: Ledger, tmp_path: Path) -> None:
    file = tmp_path / "outside.csv"
    file.write_text("a\n1\n")
    with pytest.raises(duckdb.PermissionException):
        ledger.query(f"select * from read_csv('{file}')")
    with pytest.raises(duckdb.Error):
        ledger.query("install httpfs")
    with pytest.raises(duckdb.Error):
        ledger.query("set enable_external_access = true")


def test_timestamps_with_a_zone_are_utc(ledger: Ledger) -> None:
    sql = "select ('2024-01-01 00:00:00'::timestamptz at time zone 'UTC')::varchar"
    assert ledger.query(sql)[1] == [("2024-01-01 00:00:00",)]


def test_several_threads_may_ask_at_once(ledger: Ledger) -> None:
    parts = [ledger.before([Position("clicks", 0, offset)]) for offset in (0, 1, 2, 4)] * 5
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(count, parts)) == [0, 1, 2, 3] * 5


def test_what_the_target_wrote_counts_only_where_the_query_asks() -> None:
    ledger = Ledger([record(0), record(1)._replace(origin="target"), record(2)])
    _, own = ledger.query("select count(*) from events")
    _, every = ledger.query("select origin, count(*) from events group by 1 order by 1")
    _, first = ledger.before([Position("clicks", 0, 2)]).query("select count(*) from events")
    ends = ledger.ends()
    with pytest.raises(duckdb.BinderException, match="orgin"):
        ledger.query("select orgin from events")
    ledger.close()
    assert own == [(2,)]
    assert every == [("killpoint", 2), ("target", 1)]
    assert first == [(1,)]
    assert ends == {TopicPartition("clicks", 0): 3}


def test_its_events_are_lines_of_json_in_order() -> None:
    value = b'{"n": 12345678901234567890, "at": "\xc3\xa9"}'
    records = [
        Record("clicks", 1, 0, None, b"\xff"),
        Record("clicks", 0, 1, b"k", value, (("trace", b"t"),), 1_700_000_000_123),
        Record("clicks", 0, 2, b"k", b"1", origin="target"),
    ]
    first, second = [json.loads(line) for line in Ledger(records).lines().splitlines()]
    assert (first["partition"], first["offset"], first["key"]) == (0, 1, "k")
    assert first["value"] == {"n": 12345678901234567890, "at": "\u00e9"}
    assert first["headers"] == {"trace": "t"}
    assert first["timestamp"] == "2023-11-14T22:13:20.123Z"
    assert base64.b64decode(first["value_bytes"]) == value
    assert (second["topic"], second["value"], second["value_bytes"]) == ("clicks", None, "/w==")


def test_no_events_are_no_lines() -> None:
    assert Ledger(()).lines() == b""


def test_batches_give_the_ledger_that_the_whole_gives() -> None:
    records = [
        record(0),
        record(1, b'{"a": 1}'),
        record(2)._replace(headers=(("a", b"1"),), timestamp=7),
        record(0, partition=1)._replace(origin="target"),
        record(1, None, partition=1),
    ]
    whole, batched = Ledger(records), Ledger(())
    for batch in (records[:2], [], records[2:4], records[4:]):
        batched.add(batch)
    for query in ("select * from events", "select * from events where origin is not null"):
        assert batched.query(query) == whole.query(query)
    assert (batched.count, batched.ends(), batched.lines()) == (5, whole.ends(), whole.lines())
    assert len(batched.query("select * from events")[1]) == 4
    whole.close()
    batched.close()
