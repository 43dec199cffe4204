"""Values become bytes and the same JSON again; what does not fit says where."""

from pathlib import Path

import pytest

from killpoint.cli.events.value import compact
from killpoint.cli.formats.choice import codec_of
from killpoint.cli.formats.codec import FormatError, Schema, value_of
from tests.unit.cli.formats.samples import AVRO, HERE, INNER, JSON, PROTO, PROTO_TEXT

CLICK = (
    '{"code":"a","weight":1.5,"price":-12.30,"at":1700000000000,"raw":"\u00ff\\u0000",'
    '"mark":"abc","tags":["x"],"sizes":{"s":1}}'
)


def again(schema: Schema, text: str) -> str:
    codec = codec_of(schema)
    return compact(codec.decode(codec.encode(value_of(text.encode()))))


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        (AVRO, CLICK, CLICK),
        (AVRO, CLICK.replace("1.5", "null"), CLICK.replace("1.5", "null")),
        (AVRO, CLICK.replace("-12.30", '"123456789012345678901234567.89"'),
         CLICK.replace("-12.30", "123456789012345678901234567.89")),
        (Schema("avro", '"string"', HERE), "not JSON", '"not JSON"'),
        (PROTO, '{"amount":"9007199254740993","at":"2024-01-01T00:00:00Z"}',
         '{"amount":"9007199254740993","at":"2024-01-01T00:00:00Z","code":""}'),
        (INNER, '{"x":3}', '{"x":3}'),
        (JSON, '{"code":"a","amount":10.10000000000000000001}',
         '{"code":"a","amount":10.10000000000000000001}'),
    ],
)  # fmt: skip
def test_a_value_is_the_same_json_again(schema: Schema, text: str, expected: str) -> None:
    assert value_of(again(schema, text).encode()) == value_of(expected.encode())


@pytest.mark.parametrize(
    ("schema", "text", "words"),
    [
        (AVRO, CLICK.replace('"a"', "1", 1), "must be string on field code"),
        (AVRO, CLICK.replace("-12.30", "1.234"), "1.234 has more than 2 decimal places"),
        (AVRO, '{"code":"a"}', "does not fit the schema"),
        (PROTO, '{"cde":"a"}', 'does not fit Click: Message type "acme.Click" has no field'),
        (JSON, '{"amount":"x","code":"a"}', "$.amount: 'x' is not of type 'number'"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(schema: Schema, text: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        codec_of(schema).encode(value_of(text.encode()))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (Schema("avro", "{", HERE), "is no Avro schema: Expecting"),
        (Schema("avro", '{"type":"recrd"}', HERE), "is no Avro schema"),
        (Schema("protobuf", PROTO_TEXT + "x", HERE), "does not compile: line 6:1: Expected"),
        (Schema("protobuf", PROTO_TEXT, HERE, "Nope"), "has no message Nope, but acme.Other, "),
        (Schema("protobuf", 'syntax = "proto3";', HERE), "has no message"),
        (Schema("json-schema", '{"type":"objct"}', HERE), "is no JSON Schema: 'objct' is not"),
    ],
)
def test_a_schema_that_cannot_be_used_says_why(schema: Schema, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        codec_of(schema)
    assert words in str(caught.value)


@pytest.mark.parametrize("schema", [AVRO, PROTO])
def test_bytes_of_something_else_are_refused(schema: Schema) -> None:
    with pytest.raises(FormatError):
        codec_of(schema).decode(b"\x00\xff\xff\xff")


def test_a_proto_file_finds_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "money.proto").write_text('syntax = "proto3"; message Money { int32 cents = 1; }')
    text = 'syntax = "proto3"; import "money.proto"; message Click { Money price = 1; }'
    assert again(Schema("protobuf", text, tmp_path), '{"price":{"cents":7}}') == (
        '{"price":{"cents":7}}'
    )
