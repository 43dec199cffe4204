"""Kafka messages by kio: the one place where decoded messages, which have no common type, come in.

kio has a class for each version of each message; what is needed of them differs in few fields, so
they are passed on as `Message` (Any) and turned into events at once. kio reserves memory for as
many items as an array claims to have and so can end the process: `kafka_guard` looks first.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from kio.index import load_request_schema, load_response_schema
from kio.serial import entity_reader

from killpoint.faults.wire.kafka_guard import guard

Message = Any
"""A decoded request or answer, of whatever version."""


def decode_request(key: int, version: int, frame: bytes) -> Message:
    """Decode a whole frame without its length. Raises what kio and the guard raise."""
    return _reader(key, version, True)(frame)


def decode_answer(key: int, version: int, frame: bytes) -> Message:
    """Decode a whole frame without its length. Raises what kio and the guard raise."""
    return _reader(key, version, False)(frame)


@cache
def flexible(key: int, version: int) -> bool:
    """Whether this version has compact types and tagged fields (KIP-482)."""
    return load_request_schema(key, version).__flexible__


@cache
def _reader(key: int, version: int, request: bool) -> Callable[[bytes], Message]:
    payload: Any = (load_request_schema if request else load_response_schema)(key, version)
    header: Any = payload.__header_schema__
    check_header, check_payload = guard(header), guard(payload)
    read_header, read_payload = entity_reader(header), entity_reader(payload)

    def read(frame: bytes) -> Message:
        check_payload(frame, check_header(frame, 0))
        _, size = read_header(frame, 0)
        message, _ = read_payload(frame, size)
        return message

    return read


def topic_of(entry: Message) -> Any:
    """How an entry of a message names its topic: its name, or its id where the version has ids."""
    for field in ("name", "topic", "topic_id"):
        named = getattr(entry, field, None)
        if named is not None:
            return named
    return ""
