"""The schema that is shipped is the models', and agrees with them about files."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from killpoint.cli.config.schema import (
    configuration_schema,
    schema_text,
    shipped_schema,
    write_schema,
)
from killpoint.cli.init import template


def test_the_shipped_schema_is_the_models() -> None:
    assert shipped_schema() == schema_text()


def test_it_is_a_schema_and_takes_the_file_of_init() -> None:
    schema = configuration_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(tomllib.loads(template("killpoint.toml")), schema)


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [
        ("target", "start_timeout", 60),
        ("target", "start_timeout", "60"),
        ("target", "comand", "x"),
        ("run", "require", "exactly once"),
        ("moments", "from", "end"),
        ("database", "schema", 1),
    ],
)
def test_it_refuses_what_the_models_refuse(table: str, key: str, value: object) -> None:
    data: dict[str, Any] = tomllib.loads(template("killpoint.toml"))
    data.setdefault(table, {})[key] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, configuration_schema())


def test_examples_and_defaults_are_values_that_the_schema_takes() -> None:
    schema = configuration_schema()
    tables: dict[str, Any] = schema["$defs"]
    checked = 0
    for table in tables.values():
        for field in table["properties"].values():
            values = [
                *field.get("examples", []),
                *([field["default"]] if "default" in field else []),
            ]
            for value in values:
                jsonschema.validate(value, {**field, "$defs": tables})
                checked += 1
    assert checked > 20


def test_git_ignores_the_copy_in_a_project(tmp_path: Path) -> None:
    path = write_schema(tmp_path)
    assert path == tmp_path / ".killpoint" / "killpoint.schema.json"
    assert json.loads(path.read_text()) == configuration_schema()
    assert (tmp_path / ".killpoint" / ".gitignore").read_text() == "*\n"
    write_schema(tmp_path)
