"""The result's JSON Schema as a check; the one place that touches the untyped validator."""

import json
from typing import Any

from jsonschema import Draft202012Validator

from killpoint.cli.result import schema_text


def assert_is_result(data: object) -> None:
    """Raise jsonschema.ValidationError unless `data` is as the shipped schema says."""
    validator: Any = Draft202012Validator(json.loads(schema_text()))
    validator.check_schema(validator.schema)
    validator.validate(data)
