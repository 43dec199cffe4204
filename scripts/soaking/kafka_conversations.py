"""Kafka conversations for the fuzz: every API and version that is read, with any content.

Fetch and Produce come from the tests' builders, as their answers must fit; the others are filled in
at random along kio's schema classes.
"""

from dataclasses import fields
from datetime import timedelta
from functools import cache
from random import Random
from types import NoneType
from typing import Any, Final, get_args, get_origin
from uuid import UUID

from kio.index import load_request_schema, load_response_schema
from kio.schema.errors import ErrorCode
from kio.static.primitive import Records, i32Timedelta, i64Timedelta
from scripts.soaking.talk import Conversation, Frame, Framing

from killpoint.faults.wire.kafka import KafkaMachine
from killpoint.faults.wire.kafka_apis import APIS
from killpoint.faults.wire.kafka_fetch import FETCH
from killpoint.faults.wire.kafka_topics import KafkaTopics
from killpoint.faults.wire.record_batch import CONTROL
from tests.support.kafka_talk import (
    answer_frame,
    batch,
    fetch_answer,
    fetch_request,
    produce_answer,
    produce_request,
    request_frame,
)

FRAMING: Final = Framing(at=0, uncounted=4)
TOPICS: Final = {UUID(int=7): "clicks", UUID(int=8): "orders"}
ID_VERSION: Final = 13
"""Fetch and Produce name topics by their ids from this version on."""
BULK: Final = 70_000
"""Bytes of records that make a frame too large to be collected whole."""
WIDTHS: Final = {"int8": 7, "int16": 15, "uint16": 16, "int32": 31, "int64": 63}


def kafka_conversation(random: Random) -> Conversation:
    """Some requests and their answers, in turns or several in flight."""
    asked: list[Frame] = []
    answered: list[Frame] = []
    for correlation in range(1, random.randint(2, 8)):
        one, other = _exchange(correlation, random)
        asked.append(Frame(True, one, FRAMING))
        answered += [Frame(False, other, FRAMING)] if other else []
    if random.random() < 0.3:
        return Conversation((*asked, *answered), _machine)
    longest = max(len(asked), len(answered))
    pairs = zip(_padded(asked, longest), _padded(answered, longest), strict=True)
    return Conversation(tuple(f for pair in pairs for f in pair if f is not None), _machine)


def _padded(frames: list[Frame], size: int) -> list[Frame | None]:
    return [*frames, *[None] * (size - len(frames))]


def _machine() -> KafkaMachine:
    topics = KafkaTopics()
    for topic_id, name in TOPICS.items():
        topics.learn(topic_id, name)
    return KafkaMachine(topics)


def _exchange(correlation: int, random: Random) -> tuple[bytes, bytes]:
    match random.randrange(4):
        case 0:
            return _fetch(correlation, random)
        case 1:
            return _produce(correlation, random)
        case _:
            key, version = random.choice(_versions())
            request = filled(load_request_schema(key, version), random)
            answer = filled(load_response_schema(key, version), random)
            return request_frame(request, correlation), answer_frame(answer, correlation)


@cache
def _versions() -> tuple[tuple[int, int], ...]:
    """All keys and versions that are read and known to kio; Fetch is made elsewhere."""
    return tuple(
        (key, version)
        for key in APIS
        if key != FETCH
        for version in range(20)
        if _known(key, version)
    )


def _known(key: int, version: int) -> bool:
    try:
        load_request_schema(key, version)
        load_response_schema(key, version)
    except Exception:  # kio has several for what it does not know
        return False
    return True


def _fetch(correlation: int, random: Random) -> tuple[bytes, bytes]:
    version = random.randint(4, 18)
    places = [(topic, part) for topic in _topics(version) for part in range(random.randint(0, 2))]
    asked = [(topic, part, random.randrange(60)) for topic, part in places]
    given = [(topic, part, _records(random)) for topic, part in places]
    aborted = [(1, 0), (2, 5)] if random.random() < 0.3 else None
    return (
        fetch_request(version, asked, correlation, epoch=random.choice((-1, 0, 1))),
        fetch_answer(version, given, correlation, aborted=aborted),
    )


def _produce(correlation: int, random: Random) -> tuple[bytes, bytes]:
    version = random.randint(3, 13)
    topic, acks = random.choice(_topics(version)), random.choice((-1, 0, 1))
    sent = [(topic, part, _records(random)) for part in range(random.randint(1, 3))]
    transaction = random.choice((None, "tx"))
    asked = produce_request(version, sent, correlation, acks=acks, transactional_id=transaction)
    places = [(topic, part, 40, ErrorCode.none) for _, part, _ in sent]
    return asked, produce_answer(version, places, correlation) if acks else b""


def _topics(version: int) -> list[UUID] | list[str]:
    return list(TOPICS) if version >= ID_VERSION else list(TOPICS.values())


def _records(random: Random) -> bytes:
    """Batches with gaps, control batches, perhaps a partial one at the end."""
    offset, field = random.randrange(50), b""
    for _ in range(random.randrange(4)):
        count = random.randrange(5)
        delta = count + random.randrange(3)
        size = BULK if random.random() < 0.02 else random.choice((0, 30, 300))
        attributes = random.choice((0, 0, 0, CONTROL))
        field += batch(offset, count, size=size, attributes=attributes, last_delta=delta)
        offset += delta + 1
    if random.random() < 0.3:
        field += batch(offset, 1)[: random.randrange(70)]
    return field


def filled(kind: Any, random: Random) -> Any:
    """An entity of a kio schema class with any content that it can hold."""
    return kind(
        **{field.name: _value(field.type, field.metadata, random) for field in fields(kind)}
    )


def _value(kind: Any, metadata: Any, random: Random) -> Any:
    if NoneType in get_args(kind):
        if random.random() < 0.2:
            return None
        kind = next(option for option in get_args(kind) if option is not NoneType)
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        return tuple(_value(item, metadata, random) for _ in range(random.randrange(4)))
    if hasattr(kind, "__flexible__"):
        return filled(kind, random)
    return _primitive(metadata["kafka_type"], random)


def _primitive(name: str, random: Random) -> Any:
    match name:
        case "bool":
            return random.random() < 0.5
        case "bytes":
            return random.randbytes(random.randrange(20))
        case "records":
            return Records(_records(random))
        case "string":
            return random.choice(("clicks", "orders", "group", "m-1", "tx", "", "ä" * 30))
        case "uuid":
            return random.choice((*TOPICS, UUID(int=9)))
        case "error_code":
            return ErrorCode.none if random.random() < 0.8 else random.choice(tuple(ErrorCode))
        case "timedelta_i32":
            return i32Timedelta.parse(timedelta(milliseconds=random.randrange(1000)))
        case "timedelta_i64":
            return i64Timedelta.parse(timedelta(milliseconds=random.randrange(1000)))
        case _:
            return random.choice((0, 1, 5, random.getrandbits(WIDTHS[name])))
