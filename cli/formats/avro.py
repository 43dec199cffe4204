"""Avro, by fastavro. Values are plain JSON: a union takes what fits and names no branch.

Dates and times stay the numbers that they are on the wire, decimals are numbers (or texts, where
they are longer than a double), bytes are texts of the code points 0 to 255, as in Avro's own JSON
(Avro 1.12, "JSON Encoding").
"""

import io
import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation, localcontext
from typing import Any, Final, cast

import fastavro
import fastavro.read  # pyright: ignore[reportUnusedImport]  used below
import fastavro.write  # pyright: ignore[reportUnusedImport]
from fastavro.schema import SchemaParseException, UnknownType

from killpoint.cli.events.value import Json
from killpoint.cli.formats.codec import FormatError, plain

_avro: Any = fastavro  # whose own types are partly unknown
_TEXT: Final = "killpoint-text"
_DECIMAL: Final = "killpoint-decimal"
_DIGITS: Final = 1000


class AvroCodec:
    """Raises FormatError for a text that is no Avro schema."""

    def __init__(self, text: str) -> None:
        try:
            self._schema = _avro.parse_schema(_own(json.loads(text)))
        except (ValueError, KeyError, TypeError, SchemaParseException, UnknownType) as error:
            raise FormatError(f"is no Avro schema: {_words(error)}") from error

    def encode(self, value: Json) -> bytes:
        """See Codec. A record must have its fields, but for those with a default, and no others."""
        out = io.BytesIO()
        try:
            _avro.schemaless_writer(out, self._schema, plain(value), strict_allow_default=True)
        except Exception as error:  # what does not fit may fail anywhere in the library
            raise FormatError(f"does not fit the schema: {_words(error)}") from error
        return out.getvalue()

    def decode(self, data: bytes) -> Json:
        """See Codec."""
        try:
            return cast(Json, _avro.schemaless_reader(io.BytesIO(data), self._schema, None))
        except Exception as error:
            raise FormatError(f"is not of its schema: {_words(error)}") from error


def _words(error: Exception) -> str:
    return str(error).strip().replace("\n", " ") or type(error).__name__


def _own(schema: object) -> object:
    """The same schema on the wire, with JSON for every type."""
    if schema == "bytes":
        return {"type": "bytes", "logicalType": _TEXT}
    if isinstance(schema, list):
        return [_own(branch) for branch in cast("list[object]", schema)]
    return _own_type(cast("dict[str, Any]", schema)) if isinstance(schema, dict) else schema


def _own_type(schema: dict[str, Any]) -> dict[str, Any]:
    own = {key: value for key, value in schema.items() if key != "logicalType"}
    if "fields" in own:
        return {
            **own,
            "fields": [{**field, "type": _own(field["type"])} for field in own["fields"]],
        }
    for inner in ("items", "values"):
        if inner in own:
            own[inner] = _own(own[inner])
    if own.get("type") in ("bytes", "fixed"):
        own["logicalType"] = _DECIMAL if schema.get("logicalType") == "decimal" else _TEXT
    elif not isinstance(own.get("type"), str):
        own["type"] = _own(own["type"])
    return own


def _text_written(value: Any, *_: object) -> Any:
    return value.encode("latin-1") if isinstance(value, str) else value


def _text_read(data: bytes, *_: object) -> str:
    return data.decode("latin-1")


def _decimal_written(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return value
    with localcontext(prec=_DIGITS):
        try:
            scaled = Decimal(str(value)).scaleb(schema.get("scale", 0))
        except InvalidOperation as error:
            raise FormatError(f"{value!r} is no number") from error
        if scaled != int(scaled):
            raise FormatError(f"{value} has more than {schema.get('scale', 0)} decimal places")
    number = int(scaled)
    size = schema.get("size") or (number if number >= 0 else ~number).bit_length() // 8 + 1
    return number.to_bytes(size, "big", signed=True)


def _decimal_read(data: bytes, schema: Mapping[str, Any] | None, *_: object) -> Decimal:
    with localcontext(prec=_DIGITS):
        number = Decimal(int.from_bytes(data, "big", signed=True))
        return number.scaleb(-(schema or {}).get("scale", 0))


for _type in ("bytes", "fixed"):
    _avro.write.LOGICAL_WRITERS[f"{_type}-{_TEXT}"] = _text_written
    _avro.read.LOGICAL_READERS[f"{_type}-{_TEXT}"] = _text_read
    _avro.write.LOGICAL_WRITERS[f"{_type}-{_DECIMAL}"] = _decimal_written
    _avro.read.LOGICAL_READERS[f"{_type}-{_DECIMAL}"] = _decimal_read
