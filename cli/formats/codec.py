"""A codec: JSON to the bytes of a format and back, by one schema.

Counterparts: `avro`, `protobuf` and `json_schema` are codecs, `choice` takes the right one;
`envelope` puts the schema's number in front of their bytes, `registry` keeps schemas and numbers.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from killpoint.cli.events.value import Json, compact, read_json


class FormatError(ValueError):
    """A schema that cannot be used, or a value that does not fit it: the message says why."""


@dataclass(frozen=True, slots=True)
class Schema:
    """`kind` is avro, protobuf or json-schema. `folder`: where a .proto file finds its imports.

    `message`: of a .proto file the one meant; None is its first.
    """

    kind: str
    text: str
    folder: Path
    message: str | None = None


class Codec(Protocol):
    """By one schema."""

    def encode(self, value: Json) -> bytes:
        """The bytes of a value. Raises FormatError if it does not fit the schema."""
        ...

    def decode(self, data: bytes) -> Json:
        """The value again, equal as JSON. Raises FormatError."""
        ...


def value_of(data: bytes) -> Json:
    """The JSON value of a text, or the text itself where it is no JSON: a string without quotes."""
    text = data.decode()
    try:
        return read_json(text)
    except ValueError:
        return text


def plain(value: Json) -> Any:
    """The value with floats for the fractions, for libraries that know no Decimal."""
    return json.loads(compact(value))
