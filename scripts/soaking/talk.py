"""A conversation as whole frames, and how a frame says its length.

Counterparts: `kafka_conversations` and `postgres_conversations` make them, `mutation` changes them,
`fuzz_chunk` feeds them to a machine.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from killpoint.faults.wire.piece import Machine

LENGTH: Final = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Framing:
    """Where the length stands in a frame, and how many bytes of the frame it does not count."""

    at: int
    uncounted: int

    def repaired(self, data: bytes) -> bytes:
        """The frame with the length that it really has; too short a one as it is."""
        if len(data) < self.at + LENGTH.size:
            return data
        length = LENGTH.pack(len(data) - self.uncounted)
        return data[: self.at] + length + data[self.at + LENGTH.size :]


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of one side."""

    from_client: bool
    data: bytes
    framing: Framing


@dataclass(frozen=True, slots=True)
class Conversation:
    """What both sides say in order, and a machine that has not heard any of it."""

    frames: tuple[Frame, ...]
    machine: Callable[[], Machine]
