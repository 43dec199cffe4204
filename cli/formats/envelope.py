"""The envelope of Confluent's serialisers: a zero byte, the schema's number, the value.

The number has four bytes. Between it and the value Protobuf has the path to the message in its
file: how many indexes, then each, as zigzag varints; the path of the first message alone is one
zero byte.
"""

import struct
from collections.abc import Sequence
from typing import Final

from killpoint.cli.formats.codec import FormatError

_HEAD: Final = struct.Struct(">bI")


def wrapped(number: int, body: bytes) -> bytes:
    """A value of the schema with that number."""
    return _HEAD.pack(0, number) + body


def unwrapped(data: bytes) -> tuple[int, bytes]:
    """The schema's number, and the value. Raises FormatError."""
    if len(data) < _HEAD.size or data[0] != 0:
        raise FormatError("does not begin with a zero byte and the number of a schema")
    return _HEAD.unpack_from(data)[1], data[_HEAD.size :]


def indexes_written(path: Sequence[int]) -> bytes:
    """The path to a message, before its bytes."""
    if list(path) == [0]:
        return b"\0"
    return b"".join(map(_varint, (len(path), *path)))


def indexes_read(data: bytes) -> tuple[tuple[int, ...], bytes]:
    """The path, and the bytes after it. Raises FormatError."""
    count, rest = _read(data)
    if count == 0:
        return (0,), rest
    path: list[int] = []
    for _ in range(count):
        index, rest = _read(rest)
        path.append(index)
    return tuple(path), rest


def _varint(number: int) -> bytes:
    """Zigzag of a number that is not negative."""
    left, out = number << 1, bytearray()
    while left > 0x7F:
        out.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes([*out, left])


def _read(data: bytes) -> tuple[int, bytes]:
    number = 0
    for place, byte in enumerate(data[:5]):
        number |= (byte & 0x7F) << (7 * place)
        if not byte & 0x80:
            return number >> 1, data[place + 1 :]
    raise FormatError("has no path to a message after the number of its schema")
