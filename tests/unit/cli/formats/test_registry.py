"""Schemas keep their numbers; values are enveloped, and decoded whoever registered their schema."""

from dataclasses import replace

import pytest

from killpoint.cli.formats.codec import FormatError, Schema
from killpoint.cli.formats.envelope import indexes_read, indexes_written, unwrapped, wrapped
from killpoint.cli.formats.registry import Registry
from tests.unit.cli.formats.samples import AVRO, HERE, INNER, JSON, JSON_TEXT, PROTO


def test_equal_schemas_have_one_number_and_a_subject_has_versions() -> None:
    registry = Registry()
    assert [registry.register("clicks-value", schema) for schema in (JSON, AVRO)] == [1, 2]
    closer = replace(JSON, text=JSON_TEXT.replace("\n", " "))
    assert registry.register("clicks-value", closer) == 1
    assert registry.register("others-value", AVRO) == 2
    assert registry.versions("clicks-value") == [1, 2]
    assert registry.number_of("others-value", AVRO) == 2
    assert registry.number_of("others-value", JSON) is None
    assert registry.subjects() == ["clicks-value", "others-value"]


def test_two_messages_of_a_file_are_one_schema() -> None:
    registry = Registry()
    assert registry.register("a-value", PROTO) == registry.register("b-value", INNER) == 1
    for schema, value in ((PROTO, b'{"code":"a"}'), (INNER, b'{"x":3}')):
        coded = registry.encoded(1, schema, value)
        assert coded is not None and coded[:5] == b"\0\0\0\0\1"
        assert registry.decoded(coded) in ('{"code":"a","amount":"0"}', '{"x":3}')


def test_what_cannot_be_decoded_is_nothing() -> None:
    registry = Registry()
    number = registry.register("clicks-value", JSON)
    assert registry.encoded(number, JSON, None) is None
    for value in (None, b"", b'{"code":1}', wrapped(9, b"{}"), wrapped(number, b"{")):
        assert registry.decoded(value) is None
    other = registry.register("clicks-value", Schema("json-schema", "true", HERE))
    assert registry.decoded(wrapped(other, b'{"a":1}')) == '{"a":1}'


@pytest.mark.parametrize(
    ("path", "data"), [((0,), b"\0"), ((1,), b"\2\2"), ((0, 0), b"\4\0\0"), ((200,), b"\2\x90\3")]
)
def test_paths_of_messages_are_as_confluents(path: tuple[int, ...], data: bytes) -> None:
    assert indexes_written(path) == data
    assert indexes_read(data + b"rest") == (path, b"rest")


def test_a_broken_envelope_is_refused() -> None:
    for data in (b"", b"\1\0\0\0\1", b"\0\0"):
        with pytest.raises(FormatError):
            unwrapped(data)
    with pytest.raises(FormatError):
        indexes_read(b"\xff\xff")
