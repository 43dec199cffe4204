"""JSON Schema, by jsonschema: the bytes are the JSON itself, which must be valid."""

import json
from typing import Any, cast

from jsonschema import SchemaError, ValidationError
from jsonschema.validators import validator_for

from killpoint.cli.events.value import Json, compact, read_json
from killpoint.cli.formats.codec import FormatError


class JsonSchemaCodec:
    """By the draft that `$schema` names. Raises FormatError for a text that is no schema."""

    def __init__(self, text: str) -> None:
        try:
            schema = json.loads(text)
            kind = validator_for(schema)
            kind.check_schema(schema)
        except (ValueError, SchemaError) as error:
            raise FormatError(f"is no JSON Schema: {_first(error)}") from error
        self._validator = kind(schema)

    def encode(self, value: Json) -> bytes:
        """See Codec."""
        try:
            self._validator.validate(cast(Any, value))
        except ValidationError as error:
            raise FormatError(
                f"does not fit the schema: {error.json_path}: {error.message}"
            ) from error
        return compact(value).encode()

    def decode(self, data: bytes) -> Json:
        """See Codec. A value that is no longer valid is read all the same."""
        try:
            return read_json(data.decode())
        except ValueError as error:
            raise FormatError(f"is no JSON: {error}") from error


def _first(error: ValueError | SchemaError) -> str:
    return error.message if isinstance(error, SchemaError) else str(error)
