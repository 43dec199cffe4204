"""Values of JSON as bytes: a string as its text, other values as compact JSON, null as None."""

import json
from decimal import Decimal
from typing import TypeAlias

Json: TypeAlias = "bool | int | Decimal | str | list[Json] | dict[str, Json] | None"


class Undecodable(ValueError):
    """A value that has no bytes, such as half of a surrogate pair."""


def read_json(text: str) -> Json:
    """JSON with exact numbers: fractions become Decimal. Raises ValueError."""
    value: Json = json.loads(text, parse_float=Decimal, parse_constant=_no_constant)
    return value


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is no JSON")


def to_bytes(value: Json) -> bytes | None:
    """The bytes that are sent for a value of `read_json`. Raises Undecodable."""
    if value is None:
        return None
    try:
        return (value if isinstance(value, str) else compact(value)).encode()
    except UnicodeEncodeError as error:
        raise Undecodable("holds half of a surrogate pair, which UTF-8 cannot say") from error


def compact(value: Json) -> str:
    """JSON without spaces. The `json` module would round a Decimal, so this writes it as it was."""
    match value:
        case dict():
            pairs = (
                f"{json.dumps(key, ensure_ascii=False)}:{compact(inner)}"
                for key, inner in value.items()
            )
            return "{" + ",".join(pairs) + "}"
        case list():
            return "[" + ",".join(compact(inner) for inner in value) + "]"
        case Decimal():
            return str(value)
        case _:
            return json.dumps(value, ensure_ascii=False)
