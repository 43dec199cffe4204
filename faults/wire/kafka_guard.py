"""Checks the shape of a Kafka message before kio decodes it.

kio reserves memory for an array's claimed number of items before it reads one, so that four wrong
bytes end the process ("memory allocation of 272730554352 bytes failed"). A guard follows the same
schema classes over the bytes and raises WalkError where an array, a string or a tag claims more
than is there. It makes no values and is no decoder.
"""

import struct
from collections.abc import Callable
from dataclasses import Field, fields
from functools import cache
from types import NoneType
from typing import Any, Final, get_args, get_origin

from killpoint.faults.wire.walk import WalkError

Check = Callable[[bytes, int], int]
"""Looks at the bytes from an offset on; returns the offset behind the value, or raises."""

FIXED: Final = {
    "bool": 1,
    "int8": 1,
    "int16": 2,
    "uint16": 2,
    "error_code": 2,
    "int32": 4,
    "uint32": 4,
    "timedelta_i32": 4,
    "int64": 8,
    "timedelta_i64": 8,
    "datetime_i64": 8,
    "float64": 8,
    "uuid": 16,
}
SCHEMA: Final = "__flexible__"
"""What every kio schema class has, and no primitive type."""
I16: Final = struct.Struct(">h")
I32: Final = struct.Struct(">i")


@cache
def guard(entity: Any) -> Check:
    """The check of a kio schema class. Its result raises WalkError, IndexError or struct.error."""
    flexible: bool = entity.__flexible__
    checks: list[Check] = []
    tags: dict[int, Check] = {}
    for field in fields(entity):
        tag = field.metadata.get("tag")
        if tag is None:
            checks.append(_of_field(field, flexible))
        else:
            tags[tag] = _of_field(field, flexible)

    def check(data: bytes, at: int) -> int:
        for one in checks:
            at = one(data, at)
        return _tags(data, at, tags) if flexible else at

    return check


def _of_field(field: Field[Any], flexible: bool) -> Check:
    options: tuple[Any, ...] = (field.type,)
    if NoneType in get_args(field.type):
        options = get_args(field.type)
    kind: Any = next(option for option in options if option is not NoneType)
    if get_origin(kind) is tuple:
        item: Any = get_args(kind)[0]
        inner = guard(item) if hasattr(item, SCHEMA) else _primitive(field, flexible)
        return _array(inner, flexible)
    if hasattr(kind, SCHEMA):
        nullable = len(options) > 1 and "tag" not in field.metadata
        return _nullable(guard(kind)) if nullable else guard(kind)
    return _primitive(field, flexible)


def _primitive(field: Field[Any], flexible: bool) -> Check:
    kind: str = field.metadata["kafka_type"]
    if kind in FIXED:
        return _fixed(FIXED[kind])
    # The header's client id stayed a plain string in the flexible header (RequestHeader.json).
    if flexible and field.name != "client_id":
        return _compact_bytes
    return _string if kind == "string" else _bytes


def _fixed(size: int) -> Check:
    def check(data: bytes, at: int) -> int:
        return _within(data, at + size)

    return check


def _array(item: Check, flexible: bool) -> Check:
    def check(data: bytes, at: int) -> int:
        if flexible:
            count, at = _varint(data, at)
            count -= 1
        else:
            (count,) = I32.unpack_from(data, at)
            at += I32.size
        if count > len(data) - at:  # an item has at least one byte
            raise WalkError("an array claims more items than there are bytes")
        for _ in range(count):
            at = item(data, at)
        return at

    return check


def _nullable(inner: Check) -> Check:
    def check(data: bytes, at: int) -> int:
        return at + 1 if data[at] == 0xFF else inner(data, at + 1)

    return check


def _string(data: bytes, at: int) -> int:
    (length,) = I16.unpack_from(data, at)
    return _within(data, at + I16.size + max(length, 0))


def _bytes(data: bytes, at: int) -> int:
    (length,) = I32.unpack_from(data, at)
    return _within(data, at + I32.size + max(length, 0))


def _compact_bytes(data: bytes, at: int) -> int:
    length, at = _varint(data, at)
    return _within(data, at + max(length - 1, 0))


def _tags(data: bytes, at: int, known: dict[int, Check]) -> int:
    count, at = _varint(data, at)
    for _ in range(count):
        tag, at = _varint(data, at)
        size, at = _varint(data, at)
        end = _within(data, at + size)
        if tag in known and known[tag](data, at) != end:
            raise WalkError("a tagged field is not as long as it claims")
        at = end
    return at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """An UNSIGNED_VARINT of at most five bytes, and the offset behind it."""
    value = 0
    for shift in range(0, 35, 7):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise WalkError("a varint of more than five bytes")


def _within(data: bytes, at: int) -> int:
    if at > len(data):
        raise WalkError("the message ends early")
    return at
