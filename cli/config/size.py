"""Sizes of memory as the configuration writes them: "256m", "1.5g", "64mb"."""

import re
from typing import Annotated, Final

from pydantic import BeforeValidator, Field

UNITS: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
PATTERN: Final = r"^[0-9]+(\.[0-9]+)?[kmgKMG][bB]?$"
SMALLEST: Final = 6 << 20
"""The Docker engine takes no smaller limit (docker run --memory)."""


def parse_size(text: object) -> int:
    """Bytes. Raises ValueError, which says what a size looks like."""
    written = text if isinstance(text, str) else ""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([kmgKMG])[bB]?", written)
    if found is None:
        shown = f'"{text}"' if isinstance(text, str) else repr(text)
        raise ValueError(f'must be a size such as "256m" or "1g", not {shown}')
    size = int(float(found[1]) * UNITS[found[2].lower()])
    if size < SMALLEST:
        raise ValueError(f'must be "6m" or more, not "{text}"')
    return size


Bytes = Annotated[
    int,
    BeforeValidator(parse_size, json_schema_input_type=Annotated[str, Field(pattern=PATTERN)]),
]
"""A number of bytes, written as a size in the file."""
