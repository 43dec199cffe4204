"""What a schema registry answers to its clients: the calls that serialisers and tools make.

Counterparts: `registry` has the schemas, `compose/http_server.py` carries the questions. After
Confluent's "Schema Registry API Reference", with its error codes; schemas are never refused as
incompatible, and none are deleted.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, unquote

from killpoint.cli.formats.codec import FormatError, Schema
from killpoint.cli.formats.registry import TYPES, Registry

Answer = tuple[int, object]
"""Status and JSON."""

_NO_SUBJECT: Final = (404, {"error_code": 40401, "message": "Subject not found"})
_NO_VERSION: Final = (404, {"error_code": 40402, "message": "Version not found"})
_NO_SCHEMA: Final = (404, {"error_code": 40403, "message": "Schema not found"})
_NO_RESOURCE: Final = (404, {"error_code": 404, "message": "HTTP 404 Not Found"})
_NOT_JSON: Final = (422, {"error_code": 42201, "message": "Invalid schema"})
_WORDS: Final = {kind: word for word, kind in TYPES.items()}


@dataclass(frozen=True, slots=True)
class RegistryApi:
    """Answers questions about one registry; called from several threads."""

    registry: Registry

    def answer(self, method: str, target: str, body: bytes) -> Answer:
        """Status and JSON of a request; `target` is its path with the query."""
        place, _, query = target.partition("?")
        path = [unquote(part) for part in place.split("/") if part]
        match (method, *path):
            case ("GET", "schemas", "types"):
                return 200, list(TYPES)
            case ("GET", "schemas", "ids", number, *rest):
                return self._by_number(number, rest, parse_qs(query).get("format", [""])[0])
            case ("GET", "subjects"):
                return 200, self.registry.subjects()
            case ("GET", "subjects", subject, "versions", *rest):
                return self._versions(subject, rest)
            case ("POST", "subjects", subject, *rest) if rest in ([], ["versions"]):
                return self._posted(subject, body, register=bool(rest))
            case ("POST", "compatibility", "subjects", *_):
                return 200, {"is_compatible": True}
            case ("GET", "config", *_):
                return 200, {"compatibilityLevel": "NONE"}
            case ("PUT", "config", *_):
                return 200, {"compatibility": "NONE"}
            case ("GET", "mode", *_):
                return 200, {"mode": "READWRITE"}
            case ("GET",):
                return 200, {}
            case _:
                return _NO_RESOURCE

    def _by_number(self, text: str, rest: list[str], form: str = "") -> Answer:
        number = int(text) if text.isdecimal() else 0
        schema = self.registry.schema(number)
        if schema is None:
            return _NO_SCHEMA
        places = [
            {"subject": subject, "version": self.registry.versions(subject).index(number) + 1}
            for subject in self.registry.subjects()
            if number in self.registry.versions(subject)
        ]
        match rest:
            case [] if schema.kind == "protobuf" and form == "serialized":
                return _serialized(schema)
            case []:
                return 200, _written(schema)
            case ["schema"]:
                return 200, json.loads(schema.text) if schema.kind != "protobuf" else schema.text
            case ["versions"]:
                return 200, places
            case ["subjects"]:
                return 200, [place["subject"] for place in places]
            case _:
                return _NO_RESOURCE

    def _versions(self, subject: str, rest: list[str]) -> Answer:
        numbers = self.registry.versions(subject)
        if not numbers:
            return _NO_SUBJECT
        if not rest:
            return 200, [*range(1, len(numbers) + 1)]
        version = len(numbers) if rest[0] in ("latest", "-1") else int(f"0{rest[0]}", 10)
        if not 0 < version <= len(numbers):
            return _NO_VERSION
        schema = self.registry.schema(numbers[version - 1])
        assert schema is not None, "a subject has a number that no schema has"
        if rest[1:] == ["schema"]:
            return self._by_number(str(numbers[version - 1]), ["schema"])
        place = {"subject": subject, "version": version, "id": numbers[version - 1]}
        return 200, {**place, **_written(schema)}

    def _posted(self, subject: str, body: bytes, *, register: bool) -> Answer:
        schema = _read(body, self.registry.folder)
        if schema is None:
            return _NOT_JSON
        if register:
            return 200, {"id": self.registry.register(subject, schema), **_written(schema)}
        if not self.registry.versions(subject):
            return _NO_SUBJECT
        number = self.registry.number_of(subject, schema)
        if number is None:
            return _NO_SCHEMA
        version = self.registry.versions(subject).index(number) + 1
        return 200, {"subject": subject, "version": version, "id": number, **_written(schema)}


def _written(schema: Schema) -> dict[str, str]:
    """Avro is not named, as before there were other kinds."""
    kind = {} if schema.kind == "avro" else {"schemaType": _WORDS[schema.kind]}
    return {"schema": schema.text, **kind}


def _serialized(schema: Schema) -> Answer:
    """As clients with a descriptor, not a text, compare it."""
    from killpoint.cli.formats.protobuf import serialized

    try:
        return 200, {**_written(schema), "schema": serialized(schema.text, schema.folder)}
    except FormatError:  # somebody registered it who knows no better
        return _NOT_JSON


def _read(body: bytes, folder: Path) -> Schema | None:
    try:
        asked: Any = json.loads(body)
        text, kind = asked["schema"], TYPES[asked.get("schemaType") or "AVRO"]
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
    return Schema(kind, text, folder) if isinstance(text, str) else None
