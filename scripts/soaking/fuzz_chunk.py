"""A part of the fuzz, in a process of its own: makes conversations, changes them, feeds a machine.

Counterpart: `fuzz` hands out the chunks and adds up the reports. A chunk follows from the seed and
its number alone, so a failure can be had again.
"""

import os
import resource
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from scripts.soaking.kafka_conversations import kafka_conversation
from scripts.soaking.memory import MIB, peak, resident
from scripts.soaking.mutation import mutated
from scripts.soaking.postgres_conversations import REFUSED_BYTES, postgres_conversation
from scripts.soaking.talk import Conversation, Frame

from killpoint.faults.events import Event
from killpoint.faults.wire.piece import Piece

POOL: Final = 60
"""Conversations of each protocol that a chunk makes; each is changed many times."""
AGAIN: Final = 0.25
"""The share of the conversations that is heard twice, cut up in other ways."""
ADDRESS_SPACE: Final = 4096 * MIB
"""More would be a claimed length that was believed."""

Segment = tuple[bool, bytes]
"""Whether it comes from the client, and its bytes."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Its random numbers are those of the seed and its number; `frames` are mutated ones."""

    seed: int
    number: int
    frames: int


@dataclass(slots=True)
class Report:
    """What a chunk has shown. `fed` counts the unchanged frames of its conversations as well."""

    process: int
    fed: int = 0
    mutated: int = 0
    events: int = 0
    wrong: list[str] = field(default_factory=list[str])
    resident: int = 0
    peak: int = 0


def limit_memory() -> None:
    """Called once in each process: a machine that reserves what a frame claims is ended by it."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def fuzz_chunk(chunk: Chunk) -> Report:
    """Feed mutated conversations until that many mutated frames went through."""
    random, report = Random(f"{chunk.seed} {chunk.number}"), Report(os.getpid())
    makers = (kafka_conversation, postgres_conversation)
    pool = [make(random) for make in makers for _ in range(POOL)]
    number = 0
    while report.mutated < chunk.frames:
        number += 1
        conversation = random.choice(pool)
        frames = _with_mutations(conversation, random, report)
        wrong = _heard(conversation, frames, random, report)
        report.wrong += [f"chunk {chunk.number}, conversation {number}: {line}" for line in wrong]
    report.resident, report.peak = resident(), peak()
    return report


def _with_mutations(conversation: Conversation, random: Random, report: Report) -> list[Segment]:
    """The frames in order, some of them changed, left out, said twice or in another place."""
    share = random.choice((0.1, 0.3, 0.9))
    frames: list[Frame] = list(conversation.frames)
    if random.random() < 0.2:
        at = random.randrange(len(frames))
        frames[at : at + 1] = [frames[at]] * random.choice((0, 2))
    if random.random() < 0.2:
        frames.insert(random.randrange(len(frames) + 1), random.choice(conversation.frames))
    said: list[Segment] = []
    for frame in frames:
        data = frame.data
        if random.random() < share:
            data = mutated(frame, conversation.frames, random)
            report.mutated += 1
        said.append((frame.from_client, data))
    report.fed += len(said)
    return said


def _heard(
    conversation: Conversation, said: list[Segment], random: Random, report: Report
) -> list[str]:
    """What was wrong with how a machine heard it."""
    try:
        pieces = _pieces(conversation, _cut(said, random))
        again = _pieces(conversation, said) if random.random() < AGAIN else pieces
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return [f"{error!r} at {where.filename}:{where.lineno}"]
    wrong: list[str] = []
    for from_client in (True, False):
        heard = pieces[from_client]
        received = b"".join(data for sender, data in said if sender is from_client)
        refused = sum(REFUSED_BYTES for piece in heard if piece.reply)
        if b"".join(piece.data for piece in heard) != received[refused:]:
            wrong.append("bytes were changed")
        if _events(heard) != _events(again[from_client]):
            wrong.append("the events depend on how the bytes arrive")
        report.events += len(_events(heard))
    return wrong


def _pieces(conversation: Conversation, segments: Iterable[Segment]) -> dict[bool, list[Piece]]:
    """The pieces of a new machine, by whether the client sent them, to the ends of both files."""
    machine, pieces = conversation.machine(), {True: list[Piece](), False: list[Piece]()}
    for from_client, data in (*segments, (True, b""), (False, b"")):
        send = machine.to_server if from_client else machine.to_client
        pieces[from_client] += send(data)
    return pieces


def _events(pieces: list[Piece]) -> list[Event]:
    return [event for piece in pieces for event in piece.events]


def _cut(said: list[Segment], random: Random) -> list[Segment]:
    """The same bytes of both sides in the same order, with other borders between segments."""
    joined: list[Segment] = []
    for from_client, data in said:
        if joined and joined[-1][0] is from_client and random.random() < 0.5:
            joined[-1] = (from_client, joined[-1][1] + data)
        else:
            joined.append((from_client, data))
    return [
        (from_client, part)
        for from_client, data in joined
        for part in _parts(data, random.choice((0, 0, 1, 2, 5)), random)
    ]


def _parts(data: bytes, cuts: int, random: Random) -> list[bytes]:
    places = sorted(random.randrange(len(data) + 1) for _ in range(cuts))
    borders = zip([0, *places], [*places, len(data)], strict=True)
    return [data[start:end] for start, end in borders if end > start]
