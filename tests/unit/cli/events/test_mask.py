"""Masks: what is named is replaced, equal values alike, and the kinds of values stay."""

import json
from typing import Any

import pytest

from killpoint.cli.events.mask import MaskError, Masks

SECRET = b"of this test"


def masked(paths: list[str], value: Any, secret: bytes = SECRET) -> Any:
    data = Masks(paths, secret).masked(json.dumps(value).encode())
    assert data is not None
    return json.loads(data)


def test_equal_values_stay_equal_and_others_differ() -> None:
    masks = Masks(["$.email"], SECRET)
    said = [masks.masked(json.dumps({"email": e, "n": 1}).encode()) for e in ("a@x", "b@x", "a@x")]
    assert said[0] == said[2] != said[1]
    assert said[0] is not None and b"a@x" not in said[0]
    assert json.loads(said[0])["email"].endswith("@example.invalid")
    assert json.loads(said[0])["n"] == 1


def test_another_secret_gives_other_masks() -> None:
    assert masked(["$.e"], {"e": "a"}) != masked(["$.e"], {"e": "a"}, b"another")


def test_every_place_that_a_path_finds_is_masked_with_its_kind() -> None:
    value = {"users": [{"id": 7, "tags": ["x"]}, {"id": 8, "tags": None}], "ok": True}
    found = masked(["$.users[*].id", "$..tags", "$.ok", "$.none"], value)
    first, second = found["users"]
    assert isinstance(first["id"], int) and 0 <= first["id"] < 2**31
    assert first["id"] not in (7, second["id"])
    assert isinstance(first["tags"], list) and first["tags"] != ["x"]
    assert (second["tags"], found["ok"]) == (None, True)
    assert isinstance(masked(["$"], "name"), str) and masked(["$"], "name") != "name"


def test_a_key_that_is_a_masked_value_is_masked_alike() -> None:
    masks = Masks(["$.id"], SECRET)
    value = masks.masked(b'{"id":7}')
    assert value is not None
    assert masks.key(b"7") == str(json.loads(value)["id"]).encode()
    assert (masks.key(b"8"), masks.key(None)) == (b"8", None)


def test_what_is_no_json_or_not_named_stays_as_it_is() -> None:
    for value in (None, b"\xff", b"not json"):
        assert Masks(["$.a"], SECRET).masked(value) == value
    assert Masks([], SECRET).masked(b'{ "a": 1.0 }') == b'{ "a": 1.0 }'
    assert Masks(["$.b"], SECRET).masked(b'{"a":1.10}') == b'{"a":1.10}'


def test_a_path_that_is_none_is_refused() -> None:
    for path in ("$.[", "$.a | $.b"):
        with pytest.raises(MaskError):
            Masks([path], SECRET)
