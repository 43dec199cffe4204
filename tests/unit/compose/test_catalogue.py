"""The catalogue of the samples: its programs, its events, and SQL that both sides accept."""

import ast
import json

import duckdb
import pytest

from killpoint.compose.consumers.catalogue import SAMPLES, Sample, clicks


def values() -> list[dict[str, object]]:
    return [json.loads(record.value or b"") for record in clicks("clicks")]


def test_names_and_verdicts_are_those_of_the_table() -> None:
    assert {sample.name: sample.guarantee for sample in SAMPLES} == {
        "auto-commit": "no guarantee",
        "save-then-count": "at most once",
        "count-then-save": "at least once",
        "offset-with-result": "effectively once",
        "message-id": "effectively once",
        "commit-on-close": "at most once",
        "set-state": "effectively once",
    }


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_each_program_explains_itself_and_has_an_entry(sample: Sample) -> None:
    program = ast.parse(sample.path.read_text(encoding="utf-8"))
    assert ast.get_docstring(program)
    assert any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in program.body)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_expected_has_one_row_a_click(sample: Sample) -> None:
    ledger = duckdb.connect()
    ledger.execute("create table events (value json)")
    ledger.executemany("insert into events values (?)", [[json.dumps(row)] for row in values()])
    rows = ledger.execute(sample.check.expected).fetchall()
    assert len(rows) == 12
    assert {row[-1] for row in rows} == {1}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_actual_fits_the_schema_and_the_columns_of_expected(sample: Sample) -> None:
    database = duckdb.connect()
    database.execute("create table events (value json)")
    database.execute(sample.schema)
    actual = database.execute(sample.check.actual).description
    expected = database.execute(sample.check.expected).description
    assert [column[0] for column in actual or []] == [column[0] for column in expected or []]
    if sample.position is not None:
        assert len(database.execute(sample.position).description or []) == 3


def test_each_click_has_an_id_and_a_link_of_its_own() -> None:
    assert len({value["id"] for value in values()}) == 12
    assert len({value["code"] for value in values()}) == 12
    assert {value["status"] for value in values()} == {"active", "blocked"}


def test_the_last_click_of_each_batch_is_the_slow_one() -> None:
    slow = [number for number, value in enumerate(values()) if value["preview"]]
    assert slow == [2, 5, 8, 11]


def test_clicks_are_numbered_records_of_the_topic() -> None:
    records = clicks("visits", count=4, batch=2)
    assert [(record.topic, record.partition, record.offset) for record in records] == [
        ("visits", 0, 0),
        ("visits", 0, 1),
        ("visits", 0, 2),
        ("visits", 0, 3),
    ]
    assert records[3].key == b"link-3"
