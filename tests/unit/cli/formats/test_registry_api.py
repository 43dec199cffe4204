"""The answers of the registry, also where there is nothing to find."""

import json
from typing import Any

import pytest

from killpoint.cli.formats.registry import Registry
from killpoint.cli.formats.registry_api import RegistryApi
from tests.unit.cli.formats.samples import AVRO, AVRO_TEXT, JSON, JSON_TEXT, PROTO


@pytest.fixture
def api() -> RegistryApi:
    """Number 1 is Avro, 2 JSON Schema; both are of clicks-value."""
    registry = Registry()
    for schema in (AVRO, JSON):
        registry.register("clicks-value", schema)
    return RegistryApi(registry)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/", {}),
        ("/schemas/types", ["AVRO", "PROTOBUF", "JSON"]),
        ("/schemas/ids/1?subject=clicks-value", {"schema": AVRO_TEXT}),
        ("/schemas/ids/2", {"schema": JSON_TEXT, "schemaType": "JSON"}),
        ("/schemas/ids/2/schema", json.loads(JSON_TEXT)),
        ("/schemas/ids/2/versions", [{"subject": "clicks-value", "version": 2}]),
        ("/schemas/ids/2/subjects", ["clicks-value"]),
        ("/subjects", ["clicks-value"]),
        ("/subjects/clicks%2Dvalue/versions", [1, 2]),
        (
            "/subjects/clicks-value/versions/1",
            {"subject": "clicks-value", "version": 1, "id": 1, "schema": AVRO_TEXT},
        ),
        (
            "/subjects/clicks-value/versions/latest",
            {
                "subject": "clicks-value",
                "version": 2,
                "id": 2,
                "schema": JSON_TEXT,
                "schemaType": "JSON",
            },
        ),
        ("/subjects/clicks-value/versions/2/schema", json.loads(JSON_TEXT)),
        ("/config/clicks-value", {"compatibilityLevel": "NONE"}),
        ("/mode", {"mode": "READWRITE"}),
    ],
)
def test_what_is_there_is_given(api: RegistryApi, path: str, said: object) -> None:
    assert api.answer("GET", path, b"") == (200, said)


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("GET", "/schemas/ids/3", b"", 40403),
        ("GET", "/schemas/ids/x", b"", 40403),
        ("GET", "/subjects/none/versions", b"", 40401),
        ("GET", "/subjects/clicks-value/versions/7", b"", 40402),
        ("POST", "/subjects/none", b'{"schema": "true", "schemaType": "JSON"}', 40401),
        ("POST", "/subjects/clicks-value", b'{"schema": "true", "schemaType": "JSON"}', 40403),
        ("POST", "/subjects/clicks-value/versions", b"{", 42201),
        ("POST", "/subjects/clicks-value/versions", b'{"schema": 1}', 42201),
        ("POST", "/subjects/clicks-value/versions", b'{"schema": "{}", "schemaType": "X"}', 42201),
        ("DELETE", "/subjects/clicks-value", b"", 404),
    ],
)
def test_what_is_not_there_has_its_code(
    api: RegistryApi, method: str, path: str, body: bytes, code: int
) -> None:
    status, said = api.answer(method, path, body)
    shown: Any = said
    assert status in (404, 422) and shown["error_code"] == code


def test_a_descriptor_in_base64_is_a_protobuf_schema_too() -> None:
    registry = Registry()
    api = RegistryApi(registry)
    registry.register("clicks-value", PROTO)
    status, said = api.answer("GET", "/schemas/ids/1?format=serialized", b"")
    shown: Any = said
    assert status == 200 and shown["schemaType"] == "PROTOBUF"
    body = json.dumps({"schema": shown["schema"], "schemaType": "PROTOBUF"}).encode()
    _, made = api.answer("POST", "/subjects/others-value/versions", body)
    number: Any = made
    click = b"\0\0\0\0" + bytes([number["id"]]) + b"\2\2" + b"\x0a\1a"
    assert registry.decoded(click) == '{"code":"a","amount":"0"}'


def test_a_client_registers_and_finds_its_schema(api: RegistryApi) -> None:
    body = json.dumps({"schema": '"string"'}).encode()
    status, said = api.answer("POST", "/subjects/totals-value/versions", body)
    assert (status, said) == (200, {"id": 3, "schema": '"string"'})
    found = {"subject": "totals-value", "version": 1, "id": 3, "schema": '"string"'}
    assert api.answer("POST", "/subjects/totals-value", body) == (200, found)
    assert api.answer("POST", "/compatibility/subjects/totals-value/versions/1", body) == (
        200,
        {"is_compatible": True},
    )
