"""Durations as the configuration writes them: "60s", "500ms", "2m", "1.5h"."""

import re
from typing import Annotated, Final

from pydantic import BeforeValidator, Field

UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
PATTERN: Final = r"^[0-9]+(\.[0-9]+)?(ms|s|m|h)$"


def parse_duration(text: object) -> float:
    """Seconds. Raises ValueError, which says what a duration looks like."""
    if not isinstance(text, str):
        raise ValueError(f'must be a duration such as "60s", "500ms" or "2m", not {text!r}')
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)", text)
    if found is None:
        raise ValueError(f'must be a duration such as "60s", "500ms" or "2m", not "{text}"')
    seconds = float(found[1]) * UNITS[found[2]]
    if seconds <= 0:
        raise ValueError(f'must be longer than nothing, not "{text}"')
    return seconds


Seconds = Annotated[
    float,
    BeforeValidator(parse_duration, json_schema_input_type=Annotated[str, Field(pattern=PATTERN)]),
]
"""A number of seconds, written as a duration in the file."""
