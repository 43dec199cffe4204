"""How far the target has come: positions fetched and committed, work open, time of the last sign.

Pure: events and times in, facts out. Fed by the watch, read by `drained` and by the frontier.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from killpoint.faults.events import (
    BackendReady,
    BackendStarted,
    BeginAnswered,
    BeginAsked,
    CommitAnswered,
    CommitAsked,
    EndTxnAnswered,
    EndTxnAsked,
    Event,
    FetchAsked,
    GroupNamed,
    Joined,
    Left,
    Member,
    MemberNamed,
    MemberUnnamed,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    OffsetSought,
    ProduceAnswered,
    ProduceAsked,
    RecordsFetched,
    RollbackAnswered,
    RollbackAsked,
    Subscribed,
    TopicsSought,
    TxnOffsetCommitAnswered,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.position import Position, TopicPartition

_TRANSACTION = (
    BeginAsked | BeginAnswered | CommitAsked | CommitAnswered | RollbackAsked | RollbackAnswered
)
_WORK = (
    _TRANSACTION
    | WriteAsked
    | WriteAnswered
    | RecordsFetched
    | OffsetCommitAsked
    | OffsetCommitAnswered
    | ProduceAsked
    | ProduceAnswered
    | EndTxnAsked
    | EndTxnAnswered
)
Connection = tuple[str, int]


@dataclass(slots=True)
class Life:
    """What one incarnation of the target has shown since its start."""

    started: float
    joined: float | None = None
    members: dict[tuple[str, str], Member] = field(default_factory=dict[tuple[str, str], Member])
    unnamed: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    groups: set[str] = field(default_factory=set[str])
    subscribed: set[str] = field(default_factory=set[str])
    topics_sought: set[str] = field(default_factory=set[str])
    asked: dict[TopicPartition, int] = field(default_factory=dict[TopicPartition, int])
    first_asked: dict[TopicPartition, int] = field(default_factory=dict[TopicPartition, int])
    fetched: dict[TopicPartition, int] = field(default_factory=dict[TopicPartition, int])
    fetched_of: Counter[tuple[str, int]] = field(default_factory=Counter[tuple[str, int]])
    """How many records came, by topic and replica."""
    last_fetch: float | None = None
    sought_end: bool = False
    writes: int = 0
    rows: int = 0
    produced: dict[TopicPartition, int] = field(default_factory=dict[TopicPartition, int])
    last_write: float | None = None
    last_work: float | None = None
    last_proven: float | None = None
    unproven: dict[Connection, float] = field(default_factory=dict[Connection, float])
    longest_gap: float = 0.0
    backends: dict[Connection, int] = field(default_factory=dict[Connection, int])
    in_transaction: dict[Connection, bool] = field(default_factory=dict[Connection, bool])
    wrote_in_transaction: set[Connection] = field(default_factory=set[Connection])
    present: set[int] = field(default_factory=set[int])
    """The replicas that have joined or fetched; 0 stands for the one of a single instance."""
    awaited: int | None = None
    """The replica whose start began this life, while the others go on; None: all started."""
    orphans: set[TopicPartition] = field(default_factory=set[TopicPartition])
    """What those that are gone had, as members of a group, and nobody has asked for since."""
    asked_by: dict[TopicPartition, int] = field(default_factory=dict[TopicPartition, int])
    joined_by: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    dynamic: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    writes_of: Counter[int] = field(default_factory=Counter[int])

    def members_of(self, replica: int | None) -> dict[tuple[str, str], Member]:
        """The members of one replica, or of all."""
        return {
            key: member
            for key, member in self.members.items()
            if replica is None or self.joined_by.get(key) == replica
        }

    def without(self, dead: int, now: float) -> "Life":
        """The life that begins when one replica has died: what the others are at goes on."""
        own = {place for place, replica in self.asked_by.items() if replica == dead}
        # A static member's partitions are kept for its return (KIP-345).
        waits = any(
            replica == dead and key in self.dynamic for key, replica in self.joined_by.items()
        )
        return replace(
            self,
            started=now,
            joined=None,
            awaited=dead,
            orphans=self.orphans | (own if waits else set[TopicPartition]()),
            present=self.present - {dead},
            asked={place: at for place, at in self.asked.items() if place not in own},
            asked_by={place: by for place, by in self.asked_by.items() if place not in own},
            fetched={place: at for place, at in self.fetched.items() if place not in own},
            first_asked={},
            joined_by={key: by for key, by in self.joined_by.items() if by != dead},
            fetched_of=Counter({by: n for by, n in self.fetched_of.items() if by[1] != dead}),
            writes=self.writes - self.writes_of.pop(dead, 0),
            last_work=None,
        )

    @property
    def fetched_records(self) -> int:
        """How many records of any topic came."""
        return sum(self.fetched_of.values())

    @property
    def last_sign(self) -> float | None:
        """The last sign of work. A transaction is one while it is open, and for good if it writes:

        some programs ask the database again and again, in transactions that change nothing.
        """
        return max((self.last_proven, *self.unproven.values()), key=lambda at: at or 0.0)

    @property
    def transaction_open(self) -> bool:
        """Whether a connection has a transaction open that wrote."""
        return any(
            self.in_transaction.get(connection, False) for connection in self.wrote_in_transaction
        )


class Progress:
    """Follows all lives of the target through one run."""

    def __init__(
        self,
        committed: Mapping[TopicPartition, int] | None = None,
        ignore_tables: frozenset[str] = frozenset(),
        sources: frozenset[str] | None = None,
    ) -> None:
        self._ignore_tables = ignore_tables
        self._sources = sources
        self._ignored: set[tuple[Connection, int]] = set()
        self.committed: dict[TopicPartition, int] = dict(committed or {})
        self.life = Life(0.0)
        self.committed_at: dict[TopicPartition, float] = {}
        """When each committed offset was last set by the target."""
        self.topics_written: set[str] = set()
        """Topics that the target has produced to, in any life."""
        self.read: set[TopicPartition] = set()
        """Places that it has asked for records of, in any life."""
        self.produced: dict[TopicPartition, int] = {}
        """The ends that its records have given partitions, in any life."""
        self._pending: dict[str, list[Position]] = {}
        self._replica = 0
        self._best: dict[tuple[str, TopicPartition], int] = {}
        self.advanced: float = 0.0
        """When a position last reached a place where it had never been."""
        self.committed_work: float = 0.0
        """When a transaction that wrote was last committed."""

    @property
    def events_fetched(self) -> int:
        """Records of this life that are events: of the sources (None: of any topic), and of topics

        that it subscribes to or saves offsets of. Others are a state of its own, as Connect has.
        """
        if self._sources is None:
            return self.life.fetched_records
        saved = {place.topic for place in self.committed_at}
        known = self._sources | saved | self.life.subscribed
        return sum(n for (topic, _), n in self.life.fetched_of.items() if topic in known)

    @property
    def read_back(self) -> frozenset[TopicPartition]:
        """Partitions that the target has written to, and subscribed to or saved offsets of.

        Reading alone does not count: what was only restored from (a changelog) is not read on.
        """
        subscribed = {place for place in self.produced if place.topic in self.life.subscribed}
        return frozenset(self.committed_at.keys() & self.produced.keys()) | subscribed

    @property
    def unsaved(self) -> bool:
        """Whether it has named a group, and saved none of the offsets of what it read."""
        return bool(self.life.groups and self.life.fetched_of) and not self.committed_at

    def started(self, now: float) -> None:
        """The target was started (again)."""
        self.life = Life(now)
        self._pending.clear()

    def went_on(self, now: float, without: int) -> None:
        """One replica has died; the others go on."""
        self.life = self.life.without(without, now)
        self._pending.clear()

    def waited(self) -> None:
        """The target had nothing to do until now: that is no gap between two signs of work."""
        self.life.last_work = None

    def lost(self, connection: Connection) -> None:
        """A connection has ended: its transaction is over."""
        self.life.in_transaction.pop(connection, None)
        self.life.wrote_in_transaction.discard(connection)
        self.life.unproven.pop(connection, None)

    def see(
        self, now: float, connection: Connection, events: Iterable[Event], replica: int = 0
    ) -> None:
        """Take in the events of one piece; `replica`: whose, 0 of a single instance."""
        self._replica = replica
        for event in events:
            if self._ignores(connection, event):
                continue
            if isinstance(event, _WORK):
                self._sign(now, connection, event)
            self._group(now, event)
            self._kafka(now, event)
            self._postgres(now, connection, event)

    def _ignores(self, connection: Connection, event: Event) -> bool:
        """A write to ignored tables alone, such as a lease or a heartbeat, is no work."""
        match event:
            case WriteAsked() if event.tables and event.tables <= self._ignore_tables:
                self._ignored.add((connection, event.exchange))
                return True
            case WriteAnswered() if (connection, event.exchange) in self._ignored:
                self._ignored.discard((connection, event.exchange))
                return True
            case _:
                return False

    def _sign(self, now: float, connection: Connection, event: Event) -> None:
        life = self.life
        match event:
            case OffsetCommitAsked() | OffsetCommitAnswered():
                # They may come from a timer, which tells the same for ever: that is no work.
                if any(self.committed.get(p.place) != p.offset for p in event.positions):
                    life.last_proven = now
            case _ if isinstance(event, _TRANSACTION) and not self._wrote(connection):
                life.unproven[connection] = now
            case _:
                self._work(now)

    def _wrote(self, connection: Connection) -> bool:
        return connection in self.life.wrote_in_transaction

    def _work(self, now: float) -> None:
        life = self.life
        gap = 0.0 if life.last_work is None else now - life.last_work
        if gap > life.longest_gap and self.events_fetched:  # which adds up: only where it matters
            life.longest_gap = gap
        life.last_work = life.last_proven = now

    def _group(self, now: float, event: Event) -> None:
        life = self.life
        match event:
            case Joined():
                self._joined(now, event)
            case MemberNamed():
                key = (event.group, event.member)
                life.members.setdefault(key, event)
                life.joined_by.setdefault(key, self._replica)
            case MemberUnnamed():
                life.unnamed.add((event.group, self._replica))
            case GroupNamed():
                life.groups.add(event.group)
            case Left():
                life.members.pop((event.group, event.member), None)
            case Subscribed():
                life.subscribed |= event.topics
            case _:
                pass

    def _kafka(self, now: float, event: Event) -> None:
        life = self.life
        match event:
            case TopicsSought():
                life.topics_sought |= event.topics
            case OffsetSought(timestamp=-1):
                life.sought_end = True
            case FetchAsked():
                self._asked(now, event)
            case RecordsFetched():
                self._fetched(now, event)
            case OffsetCommitAnswered():
                self._committed(now, event.positions)
            case ProduceAnswered():
                self._produced(event)
            case TxnOffsetCommitAnswered():
                pending = self._pending.setdefault(event.transactional_id, [])
                pending.extend(event.positions)
            case EndTxnAnswered() if event.error is None:
                pending = self._pending.pop(event.transactional_id, [])
                if event.committed:
                    self._committed(now, pending)
            case _:
                pass

    def _joined(self, now: float, event: Joined) -> None:
        """A rebalance is a sign of work: what was not committed is fetched again after it."""
        if self.life.joined is not None:
            self.life.last_proven = now
        self._came(now)
        key = (event.group, event.member)
        self.life.members[key], self.life.joined_by[key] = event, self._replica
        if event.instance is None:
            self.life.dynamic.add(key)

    def _asked(self, now: float, event: FetchAsked) -> None:
        life = self.life
        self._came(now)
        for position in event.positions:
            place, offset = position.place, position.offset
            self.read.add(place)
            if self._replica and offset < life.asked.get(place, 0):
                # After a rebalance: what is fetched again is worked on again.
                life.fetched[place] = min(offset, life.fetched.get(place, offset))
            life.asked_by[place] = self._replica
            life.orphans.discard(place)
            life.asked[place] = offset
            life.first_asked.setdefault(place, offset)
            self._reached(now, "asked", position)

    def _came(self, now: float) -> None:
        """The replica has joined or fetched: the life has joined with the first that it awaits."""
        life = self.life
        life.present.add(self._replica)
        if life.joined is None and life.awaited in (None, self._replica):
            life.joined = now

    def _fetched(self, now: float, event: RecordsFetched) -> None:
        life = self.life
        life.last_fetch = now
        for span in event.spans:
            before = life.fetched.get(span.place, span.first)
            came = max(0, span.next - max(span.first, before))
            life.fetched_of[span.topic, self._replica] += came
            life.fetched[span.place] = max(before, span.next)
            self._reached(now, "fetched", Position(span.topic, span.partition, span.next))

    def _produced(self, event: ProduceAnswered) -> None:
        for span in event.spans:
            self.topics_written.add(span.topic)
            for produced in (self.produced, self.life.produced):
                produced[span.place] = max(produced.get(span.place, 0), span.next)

    def _committed(self, now: float, positions: Iterable[Position]) -> None:
        for position in positions:
            self.committed[position.place] = position.offset
            self.committed_at[position.place] = now
            self._reached(now, "committed", position)

    def _reached(self, now: float, what: str, position: Position) -> None:
        if position.offset > self._best.get((what, position.place), -1):
            self._best[what, position.place] = position.offset
            self.advanced = now

    def _postgres(self, now: float, connection: Connection, event: Event) -> None:
        life = self.life
        match event:
            case BackendStarted():
                life.backends[connection] = event.pid
            case WriteAsked():
                life.wrote_in_transaction.add(connection)
                life.in_transaction[connection] = True
            case CommitAnswered() if connection in life.wrote_in_transaction:
                self.committed_work = now
            case WriteAnswered():
                life.writes += 1
                life.rows += event.rows or 0
                life.writes_of[self._replica] += 1
                life.last_write = now
            case BackendReady():
                open_now = event.status != "I"
                life.in_transaction[connection] = open_now
                if not open_now:
                    life.wrote_in_transaction.discard(connection)
                    life.unproven.pop(connection, None)
            case _:
                pass
