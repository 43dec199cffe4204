"""The schemas of a session with their numbers and subjects, as a schema registry keeps them.

Counterparts: `registry_api` answers clients from it, sources are encoded and topics decoded by it.
The target and its tools may register schemas of their own; equal ones have one number.
"""

import json
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Final

from killpoint.cli.events.value import compact
from killpoint.cli.formats.choice import codec_of
from killpoint.cli.formats.codec import FormatError, Schema, value_of
from killpoint.cli.formats.envelope import unwrapped, wrapped

TYPES: Final = {"AVRO": "avro", "PROTOBUF": "protobuf", "JSON": "json-schema"}
"""The registry's own words for the kinds."""


class Registry:
    """Numbers count from 1, in the order in which schemas come; safe for several threads.

    While it is served, `url` and `addresses` say where, `url_in_containers` how containers call it.
    """

    def __init__(self, folder: Path = Path()) -> None:
        self.folder = folder
        self.url = self.url_in_containers = ""
        self.addresses: frozenset[tuple[str, int]] = frozenset()
        self._schemas: list[Schema] = []
        self._subjects: dict[str, list[int]] = {}
        self._lock = Lock()

    def register(self, subject: str, schema: Schema) -> int:
        """The number of a schema, a new one for a new schema, as the latest of its subject."""
        with self._lock:
            number = self._known(schema)
            if number is None:
                self._schemas.append(replace(schema, message=None))
                number = len(self._schemas)
            versions = self._subjects.setdefault(subject, [])
            if number not in versions:
                versions.append(number)
            return number

    def number_of(self, subject: str, schema: Schema) -> int | None:
        """The number of a schema that the subject has."""
        number = self._known(schema)
        return number if number in self.versions(subject) else None

    def schema(self, number: int) -> Schema | None:
        """The schema with that number."""
        return self._schemas[number - 1] if 0 < number <= len(self._schemas) else None

    def subjects(self) -> list[str]:
        """All subjects, such as clicks-value."""
        return sorted(self._subjects)

    def versions(self, subject: str) -> list[int]:
        """The numbers of a subject's schemas; version 1 is the first."""
        return self._subjects.get(subject, [])

    def encoded(self, number: int, schema: Schema, value: bytes | None) -> bytes | None:
        """The bytes of a JSON value. Raises FormatError if it does not fit; None is a tombstone."""
        return None if value is None else wrapped(number, codec_of(schema).encode(value_of(value)))

    def decoded(self, value: bytes | None) -> str | None:
        """The JSON of such bytes; None where they are not of a schema that is known."""
        if value is None:
            return None
        try:
            number, body = unwrapped(value)
            schema = self.schema(number)
            return None if schema is None else compact(codec_of(schema).decode(body))
        except FormatError:
            return None

    def _known(self, schema: Schema) -> int | None:
        wanted = _same(schema)
        numbers = enumerate(self._schemas, 1)
        return next((number for number, other in numbers if _same(other) == wanted), None)


def _same(schema: Schema) -> tuple[str, str]:
    """Equal for schemas that differ in nothing but the layout of their text."""
    if schema.kind == "protobuf":
        return (schema.kind, schema.text.strip())
    try:
        return (schema.kind, json.dumps(json.loads(schema.text), sort_keys=True))
    except ValueError:
        return (schema.kind, schema.text)
