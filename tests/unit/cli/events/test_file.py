"""Files of events, line by line."""

from pathlib import Path

import pytest

from killpoint.cli.config.problem import ConfigError
from killpoint.cli.events.file import EventError, read_event, read_events, written_event
from killpoint.faults.record import Record


def event(line: str) -> Record:
    return read_event(line, "clicks", partitions=2)


def test_all_keys() -> None:
    line = (
        '{"key": "a", "value": {"n": 1}, "headers": {"x": "1", "y": null},'
        ' "partition": 1, "timestamp": 1700000000000}'
    )
    headers = (("x", b"1"), ("y", None))
    assert event(line) == Record("clicks", 1, -1, b"a", b'{"n":1}', headers, 1700000000000)


def test_the_least() -> None:
    assert event('{"value": null}') == Record("clicks", -1, -1, None, None)


def test_bytes_in_base64() -> None:
    found = event('{"key_base64": "AP8=", "value_base64": ""}')
    assert (found.key, found.value) == (b"\x00\xff", b"")


def test_a_key_may_be_any_json() -> None:
    assert event('{"key": {"id": 1.0}, "value": 5}').key == b'{"id":1.0}'


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("{", "is not valid JSON", "why    Expecting property name"),
        ("[1]", "is not a JSON object", 'do     write {"key": …, "value": …}'),
        ('{"key": "a"}', '"value" is missing', 'do     add "value"; null is a tombstone'),
        ('{"valeu": 1}', 'unknown key "valeu"', 'did you mean "value"?'),
        (
            '{"value": 1, "value_base64": ""}',
            'has "value" and "value_base64"',
            "do     keep one of them",
        ),
        ('{"value_base64": "?"}', '"value_base64" is not Base64', "why    "),
        ('{"value_base64": "é"}', '"value_base64" ', "do     "),
        ('{"value_base64": 1}', '"value_base64" must be a string', "do     write the bytes"),
        ('{"value": 1, "partition": 2}', '"partition" 2 does not exist', "do     raise partitions"),
        ('{"value": 1, "partition": -1}', '"partition" must be a whole number from 0', "do     "),
        ('{"value": 1, "partition": true}', '"partition" must be a whole number', "do     "),
        (
            '{"value": 1, "timestamp": "now"}',
            '"timestamp" must be a whole number from 0: milliseconds',
            "do",
        ),
        ('{"value": 1, "headers": []}', '"headers" must be an object', "do     write"),
        ('{"value": 1, "headers": {"a": 1}}', 'header "a" must be a string or null', "do     put"),
        ('{"value": "\\ud800"}', '"value" holds half of a surrogate pair', "do     "),
        ("[" * 100_000, "is not valid JSON", "why    "),
    ],
)
def test_no_event(line: str, message: str, hint: str) -> None:
    with pytest.raises(EventError) as caught:
        event(line)
    assert str(caught.value).startswith(message)
    assert caught.value.hint.startswith(hint)


def test_lines_keep_their_order_and_empty_ones_are_skipped(tmp_path: Path) -> None:
    file = tmp_path / "clicks.jsonl"
    file.write_bytes('{"value": 1}\r\n\n{"value": "a\u2028b"}\n  \n{"value": 3}'.encode())
    values = [record.value for record in read_events(file, "clicks", 1)]
    assert values == [b"1", "a\u2028b".encode(), b"3"]


def test_each_bad_line_is_told_up_to_ten(tmp_path: Path) -> None:
    file = tmp_path / "clicks.jsonl"
    file.write_text('{"value": 1}\n' + "{}\n" * 20)
    with pytest.raises(ConfigError) as caught:
        read_events(file, "clicks", 1)
    assert [problem.line for problem in caught.value.problems] == list(range(2, 12))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\n\n", "holds no events"),
        (b'{"value": 1}\n{"value": "\xff"}\n', ":2: is not UTF-8"),
    ],
)
def test_files_without_use(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "clicks.jsonl"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        read_events(file, "clicks", 1)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read\n  why    No such file"):
        read_events(tmp_path / "no.jsonl", "clicks", 1)


def test_lines_of_kcat_are_events() -> None:
    line = (
        '{"topic":"other","partition":1,"offset":5,"tstype":"create","ts":1700000000000,'
        '"broker":0,"headers":["x","1","x",null],"key":"a","payload":"{\\"n\\":1}"}'
    )
    headers = (("x", b"1"), ("x", None))
    assert event(line) == Record("clicks", 1, -1, b"a", b'{"n":1}', headers, 1700000000000)
    assert event('{"ts":-1,"key":null,"payload":null}') == Record("clicks", -1, -1, None, None)
    with pytest.raises(EventError, match="names and values in turn"):
        event('{"payload":"a","headers":["x"]}')


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (b"a", b'{"n":1.10}'),
        (None, None),
        (b"\xff", b"\xff"),
        (b"1", b"1"),
        (b"", b"plain text"),
        (b"null", b"null"),
        (b"x", b'"quoted"'),
        (b"y", b""),
    ],
)
def test_what_is_written_reads_back_the_same(key: bytes | None, value: bytes | None) -> None:
    record = Record("clicks", 1, 7, key, b"other", (("h", b"v"), ("none", None)), 1_700_000_000_000)
    read = event(written_event(record, value))
    assert (read.key, read.value) == (key, value)
    assert (read.partition, read.timestamp) == (1, 1_700_000_000_000)
    assert read.headers == (("h", b"v"), ("none", None))
