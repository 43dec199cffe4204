"""How many lanes there are, and whether those of one subject can share the servers. Pure.

Counterparts: `widening` opens what is decided here; `compose.machine` says what the machine has.
Lanes on shared servers have each a group, a database and proxies of their own. That is enough
unless targets would meet elsewhere: in a group or a topic (own servers part them), at a port or in
a file of the machine, or in a system that killpoint does not stand before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from killpoint.cli.session.subject import Subject
from killpoint.compose.compose_wish import ComposeWish
from killpoint.faults.progress import Progress
from killpoint.faults.unseen import OPEN_FILE

MIB: Final = 1024 * 1024
MOST_LANES: Final = 8
LANE_BYTES: Final = 400 * MIB
"""For a target at work, and what it makes the servers use."""
SERVERS_BYTES: Final = 600 * MIB
"""A broker and a database server of its own."""
SERVERS_SECONDS: Final = 6.0
"""What it takes to start these beside a sweep; below three times that they don't pay."""


def default_lanes(processors: int, memory: int) -> int:
    """Two for each processor, as half of a run is waiting, and no more than memory allows."""
    return max(1, min(2 * processors, memory // LANE_BYTES, MOST_LANES))


class CleanRecord(Protocol):
    """A clean run as it is read here. Counterpart: `faults.run.RunRecord`."""

    @property
    def groups(self) -> tuple[str, ...]: ...
    @property
    def progress(self) -> Progress: ...
    @property
    def ports(self) -> frozenset[int]: ...
    @property
    def unseen(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where targets of several lanes would meet, in words; "" where they would not.

    `at_servers`: in a group, a topic or a database, so own servers part them. `beside`: elsewhere;
    `harmless` if that may be without consequence, which only the user can know.
    """

    at_servers: str = ""
    beside: str = ""
    harmless: bool = False


def meeting(
    subject: Subject,
    clean: Sequence[CleanRecord],
    changed: Sequence[str] = (),
    *,
    late: bool = False,
) -> Meeting:
    """What the clean runs showed; before these, what the configuration says.

    `changed`: files of the project that they changed.
    `late`: some events come while a run is under way.
    """
    if isinstance(subject.container, ComposeWish):
        return Meeting(beside="the names of a compose file lead to one place")
    if subject.answer_at:
        return Meeting(beside="the target knows its addresses by heart, and they lead to one lane")
    if port := _port(clean):
        return Meeting(
            beside=f"the target listens on port {port} in every run ({{port:NAME}} gives it a "
            "free one)"
        )
    if changed:
        return Meeting(beside=f"the target changes {changed[0]}, which lanes would share")
    unseen = _unseen(subject, clean)
    beside = f"lanes would share {unseen[0]}" if unseen else ""
    at_servers = "some events come late" if late else _at_servers(subject, clean)
    return Meeting(at_servers, beside, harmless=True)


def _port(clean: Sequence[CleanRecord]) -> int | None:
    """A port that every run listened on; `{port:NAME}` gives each another one."""
    if not clean:
        return None
    ports = frozenset[int].intersection(*(record.ports for record in clean))
    return min(ports, default=None)


def _unseen(subject: Subject, clean: Sequence[CleanRecord]) -> list[str]:
    """What the target holds past killpoint; the open files of containers are their own."""
    private = OPEN_FILE if subject.container is not None else None
    return [
        words
        for record in clean
        for words in record.unseen
        if private is None or not words.startswith(private)
    ]


def _at_servers(subject: Subject, clean: Sequence[CleanRecord]) -> str:
    if subject.group is not None:
        return f'its group is always "{subject.group}"'
    if clean and (groups := set[str].intersection(*(set(record.groups) for record in clean))):
        return f'it joins the group "{min(groups)}" in every run'
    known = (subject.account.database, *subject.neighbours.names.values())
    if name := next(filter(None, known), None):
        return f'its database is always "{name}"'
    if topics := sorted({t for record in clean for t in record.progress.topics_written}):
        return f'it writes to the topic "{topics[0]}"'
    return ""


def disturbed(scenario: str, topic: str, void: int) -> str:
    """Why there is one lane from now on, in words; `void`: so many runs are made again."""
    again = "1 scenario is" if void == 1 else f"{void} scenarios are"
    return (
        f'1 from here on: in {scenario} the target wrote to the topic "{topic}", which all lanes '
        f"share; {again} run again"
    )


@dataclass(frozen=True, slots=True)
class Lanes:
    """The lanes of a sweep; `why` says in words how they came to be, "" where nobody asked."""

    count: int
    own_servers: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class LaneWish:
    """`lanes` at most; `insisted`: the user named the number. `memory`: bytes available."""

    lanes: int
    insisted: bool
    memory: int


def lanes_of(wish: LaneWish, met: Meeting, scenarios: int, seconds: float) -> Lanes:
    """The lanes for so many scenarios, which would take `seconds` one after the other."""
    count = min(wish.lanes, scenarios)
    if count <= 1:
        return Lanes(1)
    if met.beside and not (wish.insisted and met.harmless):
        insist = f"; --lanes {wish.lanes} if that does no harm" if met.harmless else ""
        return Lanes(1, why=f"1: {met.beside}{insist}")
    if not met.at_servers:
        return Lanes(count, why=f"{count}, each with a group and a database of its own")
    if not wish.insisted:
        count = min(count, 1 + wish.memory // (SERVERS_BYTES + LANE_BYTES))
        if count <= 1 or seconds < 3 * SERVERS_SECONDS:
            return Lanes(1, why=f"1: {met.at_servers}, and servers for each lane do not pay")
    return Lanes(count, True, f"{count}, each with servers of its own: {met.at_servers}")
