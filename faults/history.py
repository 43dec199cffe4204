"""The history of one run: what was seen on the wire and done, in order, with its time.

The watch writes it; the cycle in words, the sweep, the calibration and the evidence read it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from killpoint.faults.events import Event
from killpoint.faults.moment import Sighting

Files = tuple[tuple[str, str], ...]
"""Paths with digests of what they hold, sorted."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`seconds` since the run began; `life` counts the starts of the target, from 1.

    `files`: what the files that the target changes held then, as digests by path. `replica`: which
    instance it is of, from 1; 0 where there is one alone.
    """

    seconds: float
    life: int
    edge: str
    connection: int
    events: tuple[Event, ...]
    sightings: tuple[Sighting, ...] = ()
    files: Files = ()
    replica: int = 0

    @property
    def at(self) -> tuple[str, int]:
        """The edge and the connection."""
        return self.edge, self.connection


@dataclass(frozen=True, slots=True)
class Note:
    """Something that killpoint did or saw outside the wire: started, joined, killed, audited."""

    seconds: float
    life: int
    text: str


@dataclass(slots=True)
class History:
    """Entries and notes in the order in which they happened."""

    lines: list[Entry | Note] = field(default_factory=list[Entry | Note])

    def add(self, line: Entry | Note) -> None:
        """Append a line; the caller keeps the time in order."""
        self.lines.append(line)

    def entries(self, life: int | None = None) -> Iterator[Entry]:
        """What was seen on the wire, of one life or of all."""
        for line in self.lines:
            if isinstance(line, Entry) and (life is None or line.life == life):
                yield line

    def opened_after(self, frozen: Entry) -> int:
        """How many entries there are until the edges, frozen at one of them, are open again.

        That is at the next start of the target, or when the others go on without a dead replica.
        """
        at = next(index for index, line in enumerate(self.lines) if line is frozen)
        life = max(line.life for line in self.lines[: at + 1])
        until = takewhile(lambda line: line.life <= life, self.lines)
        return sum(isinstance(line, Entry) for line in until)

    def events(self, life: int | None = None) -> Iterator[Event]:
        """The events alone, in order."""
        for entry in self.entries(life):
            yield from entry.events

    def sightings(self, life: int | None = None) -> Iterator[Sighting]:
        """The sightings alone, in order."""
        for entry in self.entries(life):
            yield from entry.sightings
