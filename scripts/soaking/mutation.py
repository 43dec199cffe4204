"""Frames with a few bytes changed, as a broken or hostile peer would send them.

In most of them the length is put right again, so that the damage is inside a frame that is read;
the others damage the framing itself.
"""

from random import Random
from typing import Final

from scripts.soaking.talk import Frame

EDGES: Final = (
    b"\x00",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\x00\x00\x00\x00",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\x80\x00\x00\x00",
    b"\x00\x01\x00\x01",
    b"\xff\xff\xff\xff\x0f",
)
"""Bytes at the borders of lengths, counts and varints."""
HEAD: Final = 40
"""Bytes at the start of a frame, where lengths and counts stand close together."""
REPAIRED: Final = 0.9
"""The share of the frames whose length is put right again."""


def mutated(frame: Frame, others: tuple[Frame, ...], random: Random) -> bytes:
    """The frame's bytes with one to four changes; never the same bytes, never none."""
    while True:
        data = frame.data
        for _ in range(random.randint(1, 4)):
            data = _changed(data, others, random)
        if random.random() < REPAIRED:
            data = frame.framing.repaired(data)
        if data and data != frame.data:
            return data


def _changed(data: bytes, others: tuple[Frame, ...], random: Random) -> bytes:
    near = random.random() < 0.5
    at = random.randrange(min(len(data), HEAD) if near and data else len(data) + 1)
    match random.randrange(6):
        case 0:
            return data[:at] + random.randbytes(1) + data[at + 1 :]
        case 1:
            edge = random.choice(EDGES)
            return data[:at] + edge + data[at + len(edge) :]
        case 2:
            return data[:at] + random.choice((*EDGES, random.randbytes(5))) + data[at:]
        case 3:
            return data[:at] + data[at + random.randint(1, 8) :]
        case 4:
            return data[:at]
        case _:
            other = random.choice(others).data
            start = random.randrange(len(other) + 1)
            return data[:at] + other[start : start + random.randint(1, 60)] + data[at:]
