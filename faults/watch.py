"""The watch: what all proxies of one target share during a run.

It passes every piece by the gate, keeps history and progress, and freezes all edges at once when a
moment is met. Counterpart: the proxies ask it before they forward; the run waits for what it met.
It owns no sockets and starts no tasks.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic

from killpoint.faults.alias import told
from killpoint.faults.events import (
    BackendStarted,
    EncryptionRefused,
    Event,
    ForeignSpeech,
    GroupNamed,
)
from killpoint.faults.freeze import Freeze
from killpoint.faults.gate import Connection, Gate
from killpoint.faults.history import Entry, Files, History, Note
from killpoint.faults.position import TopicPartition
from killpoint.faults.progress import Progress
from killpoint.faults.scenario import Fault
from killpoint.faults.wire.piece import Piece

GroupReady = Callable[[str], Awaitable[None]]
Observer = Callable[[Entry], None]


class Watch:
    """Follows one run of one target over all its edges.

    `group_of_run`: the group, where it has another name in each run, see `alias`.
    """

    def __init__(
        self,
        gate: Gate,
        group_ready: GroupReady,
        committed: Mapping[TopicPartition, int] | None = None,
        files: Callable[[], Files] | None = None,
        sources: frozenset[str] | None = None,
        *,
        one_dies: bool = False,
        group_of_run: str | None = None,
    ) -> None:
        self.gate = gate
        self.history = History()
        self.progress = Progress(committed, gate.ignore_tables, sources)
        self.life = 0
        self.foreign: list[tuple[str, str]] = []
        """Edges on which the target spoke what can't be read, and what it spoke."""
        self.refused: dict[str, str] = {}
        """Edges on which this life left when refused encryption, and has not come without it."""
        self.failure: BaseException | None = None
        """What went wrong in killpoint itself while it carried a connection."""
        self.backends: dict[Connection, int] = {}
        self.groups: list[str] = []
        self.here: dict[str, set[int]] = defaultdict(set)
        """The replicas that have connected, by edge."""
        self.met_at: list[Entry] = []
        """The entries at which all edges were frozen, one for each fault that was met."""
        self._one_dies = one_dies
        self._group_of_run = group_of_run
        self._started_in: dict[int, int] = {}
        self._all_started_in = 0
        self._group_ready = group_ready
        self._files = files
        self._groups_ready: dict[str, asyncio.Task[None]] = {}
        self._began = monotonic()
        self._open: dict[Connection, set[int]] = defaultdict(set)
        self._replicas: dict[Connection, int] = {}
        self._freeze = Freeze()
        self._changed = asyncio.Event()
        self._met: asyncio.Future[Fault] | None = None

    # ── time and lives ───────────────────────────────────────────────────────────────────────────

    @property
    def now(self) -> float:
        """Seconds since the run began."""
        return monotonic() - self._began

    def note(self, text: str) -> None:
        """Write down something that happened outside the wire."""
        self.history.add(Note(self.now, self.life, text))

    def started(self) -> None:
        """The target is about to start (again): counts begin anew, all edges are open."""
        self.life += 1
        self._all_started_in = self.life
        self._started_in.clear()
        self.gate.restarted()
        self.progress.started(self.now)
        self._open.clear()
        self.backends.clear()
        self._go_on()
        self.note("started")

    def went_on(self, without: int) -> None:
        """One replica is gone, and will be started again; the others go on, all edges are open."""
        self.life += 1
        self._started_in[without] = self.life
        self.gate.restarted(without)
        self.progress.went_on(self.now, without)
        self._go_on()
        self.note(f"the others go on without replica {without}")

    def _go_on(self) -> None:
        self.refused.clear()
        self._met = asyncio.get_running_loop().create_future()
        self._freeze.thaw()

    @property
    def dying(self) -> int | None:
        """The replica that a fault ends: the one that met it; None: the whole target."""
        return self.met_at[-1].replica if self._one_dies and self.met_at else None

    # ── what the proxies ask ─────────────────────────────────────────────────────────────────────

    @property
    def frozen(self) -> bool:
        """Whether any edge is held: all of them, unless `hold_only` has opened the others."""
        return self._freeze.frozen

    def holds(self, at: Connection) -> bool:
        """Whether nothing may be forwarded on this connection."""
        return self._freeze.holds(at)

    def connected(self, edge: str, connection: int, replica: int) -> None:
        """A connection has come from a replica; 0 where there is one alone."""
        self._replicas[edge, connection] = replica
        self.here[edge].add(replica)
        self._changed.set()

    def admits(self, replica: int) -> bool:
        """Whether a connection of a replica may come: while frozen those of one that lives on.

        They are carried when the edges are open again.
        """
        closed = self.frozen and self._freeze.only is None
        return not closed or self.dying not in (None, replica)

    def see(self, edge: str, connection: int, piece: Piece) -> bool:
        """Take in a piece that was received; False if it must be held: its connection is frozen."""
        at = (edge, connection)
        self._open[at].difference_update(piece.closes)
        if piece.events:
            self._see_events(at, piece.events)
        if piece.events or piece.closes:
            self._changed.set()
        return not self.holds(at)

    def _see_events(self, at: Connection, events: tuple[Event, ...]) -> None:
        replica = self._replicas.get(at, 0)
        now = self.now
        self.progress.see(now, at, events, replica)
        if self._group_of_run is not None:
            events = told(events, self._group_of_run)
        seen = self.gate.see(at[0], at[1], events, replica)
        for event in events:
            if isinstance(event, BackendStarted):
                self.backends[at] = event.pid
                self.refused.pop(at[0], None)
            elif isinstance(event, EncryptionRefused):
                self.refused[at[0]] = event.what
            elif isinstance(event, ForeignSpeech):
                self.foreign.append((at[0], event.what))
        files = self._files() if self._files is not None and seen.sightings else ()
        life = self._started_in.get(replica, self._all_started_in)
        entry = Entry(now, life, at[0], at[1], events, seen.sightings, files, replica)
        self.history.add(entry)
        if seen.fault is not None and self._met is not None and not self._met.done():
            self._freeze.freeze()
            self.met_at.append(entry)
            self._met.set_result(seen.fault)

    def forwarding(self, edge: str, connection: int, piece: Piece) -> None:
        """A piece towards the server is about to be forwarded: its requests are open now."""
        if piece.opens:
            self._open[edge, connection].update(piece.opens)

    def unprepared(self, piece: Piece) -> bool:
        """Whether the piece names a group whose offsets are not set yet."""
        named = (event.group for event in piece.events if isinstance(event, GroupNamed))
        return any(not self._is_prepared(group) for group in named)

    def _is_prepared(self, group: str) -> bool:
        task = self._groups_ready.get(group)
        return task is not None and task.done() and not task.cancelled() and not task.exception()

    async def prepare_groups(self, piece: Piece) -> None:
        """Wait until the offsets of every group that the piece names are set, once per run."""
        for event in piece.events:
            if isinstance(event, GroupNamed):
                await asyncio.shield(self._prepared(event.group))

    def _prepared(self, group: str) -> asyncio.Task[None]:
        task = self._groups_ready.get(group)
        if task is None:
            self.groups.append(group)
            task = asyncio.ensure_future(_call(self._group_ready, group))
            self._groups_ready[group] = task
        return task

    async def thawed(self, at: Connection) -> None:
        """Wait until a connection is open again."""
        await self._freeze.thawed(at)

    def failed(self, error: BaseException) -> None:
        """A proxy could not carry a connection: the run must not be judged by what it saw."""
        self.failure = self.failure or error
        self._changed.set()

    def disconnected(self, edge: str, connection: int) -> None:
        """A connection has ended: what it had open will not be answered."""
        at = (edge, connection)
        self._open.pop(at, None)
        self.progress.lost(at)
        self._changed.set()

    # ── what the run asks ────────────────────────────────────────────────────────────────────────

    async def met(self) -> Fault:
        """Wait for the next fault's moment; when this returns every edge is frozen."""
        assert self._met is not None, "the target was not started"
        return await asyncio.shield(self._met)

    def freeze(self) -> None:
        """Close all edges: nothing is forwarded from now on."""
        self._freeze.freeze()

    def hold_only(self, at: Connection) -> None:
        """Hold one connection and open the others, where what was kept is forwarded first."""
        self._freeze.freeze(at)

    def thaw(self) -> None:
        """Open all edges again; what was kept is forwarded first."""
        self._freeze.thaw()

    @property
    def requests_open(self) -> int:
        """Requests with an effect that were forwarded and not answered yet."""
        return sum(len(exchanges) for exchanges in self._open.values())

    def open_of(self, replica: int | None) -> int:
        """The same for one replica, or for all."""
        return sum(len(open) for at, open in self._open.items() if self._is_of(at, replica))

    def backends_of(self, replica: int | None) -> dict[Connection, int]:
        """The servers' processes of one replica's connections, or of all."""
        return {at: pid for at, pid in self.backends.items() if self._is_of(at, replica)}

    def _is_of(self, connection: Connection, replica: int | None) -> bool:
        return replica is None or self._replicas.get(connection, 0) == replica

    def open_on(self, connection: Connection) -> int:
        """The same for one connection."""
        return len(self._open.get(connection, ()))

    def since(self, entry: Entry) -> list[Entry]:
        """What was seen on the wire after an entry."""
        lines = self.history.lines
        place = next(i for i in range(len(lines) - 1, -1, -1) if lines[i] is entry)
        return [line for line in lines[place + 1 :] if isinstance(line, Entry)]

    async def changed(self, seconds: float) -> None:
        """Wait until something was seen on the wire, at most `seconds`."""
        self._changed.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return


async def _call(ready: GroupReady, group: str) -> None:
    await ready(group)
