"""The gate: names what passes on the wire and says where to hold.

Pure: events in, sightings and at most one fault out. Counterpart: the proxies feed it and do what
it says; it knows no sockets, no time and no actions.

Theory of operation. Every request of interest is numbered when it is asked, per event and since
the last start of the target, over all its connections; its answer carries the same number. So
`before` and `after` of one number are the two sides of one exchange, also when answers come in
another order. A moment with a selector counts its own matches in the same way. Transactions are
numbered at their first write (only those that write have a number), their writes from 1 in each.
Of several replicas each has numbers of its own, since its own start.
The faults of a scenario are met in order: the next one is looked for only after the target, or the
replica that died, has been started again.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from killpoint.faults.events import (
    BeginAnswered,
    BeginAsked,
    CommitAnswered,
    CommitAsked,
    EndTxnAnswered,
    EndTxnAsked,
    Event,
    Joined,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    ProduceAnswered,
    ProduceAsked,
    RecordsFetched,
    RollbackAnswered,
    RollbackAsked,
    TxnOffsetCommitAnswered,
    TxnOffsetCommitAsked,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.moment import REPLICA, Moment, Side, Sighting, Value
from killpoint.faults.position import Position, Span
from killpoint.faults.scenario import Fault

Identity = tuple[tuple[str, Value], ...]
Connection = tuple[str, int]  # name of the edge, number of the connection


@dataclass(frozen=True, slots=True)
class GateRules:
    """`from_start`: postgres moments count from the start of the target, not from its first record.

    `ignore_tables`: writes that touch only these are no moments (lower case).
    """

    from_start: bool = False
    ignore_tables: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Seen:
    """What one piece meant: its sightings, and the fault to commit before it is forwarded."""

    sightings: tuple[Sighting, ...] = ()
    fault: Fault | None = None


@dataclass(slots=True)
class _Transaction:
    """A transaction of one connection; `number` is None until it writes."""

    number: int | None = None
    writes: int = 0


@dataclass(slots=True)
class _Life:
    """What is counted since the last start of the target, or of one of its replicas.

    `seen`: its sightings, where a later fault may ask for one of them by its number.
    """

    numbers: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    asked: dict[tuple[Connection, str, int], Sighting] = field(
        default_factory=dict[tuple[Connection, str, int], Sighting]
    )
    transactions: dict[tuple[Connection, int], _Transaction] = field(
        default_factory=dict[tuple[Connection, int], _Transaction]
    )
    writing: int = 0
    joined: set[str] = field(default_factory=set[str])
    records_seen: bool = False
    seen: list[Sighting] = field(default_factory=list[Sighting])


class Gate:
    """Recognises the moments of one scenario in the events of all edges of one target."""

    def __init__(self, faults: Sequence[Fault] = (), rules: GateRules | None = None) -> None:
        self._rules = rules or GateRules()
        self._waiting = list(faults)
        self._lives: dict[int, _Life] = defaultdict(_Life)
        self._life, self._replica = self._lives[0], 0
        self._matches: dict[tuple[Value, str, int], int] = {}
        self._armed = True

    def restarted(self, replica: int | None = None) -> None:
        """The target starts (again): every count begins anew and the next fault is looked for.

        Or one replica does: the numbers of the others go on.
        """
        if replica is None:
            self._lives.clear()
        else:
            self._lives.pop(replica, None)
        self._armed = True
        self._matches.clear()
        if self._waiting and self._waiting[0].at.replica is not None:
            for sighting in [one for life in self._lives.values() for one in life.seen]:
                self._counts(self._waiting[0].at, sighting)

    @property
    def ignore_tables(self) -> frozenset[str]:
        """Tables whose writes are neither moments nor work."""
        return self._rules.ignore_tables

    @property
    def waiting(self) -> tuple[Fault, ...]:
        """The faults that were not met yet."""
        return tuple(self._waiting)

    def see(self, edge: str, connection: int, events: Sequence[Event], replica: int = 0) -> Seen:
        """Name the events of one piece; `fault` is set when its moment is among them.

        `replica` has said it, or heard it; 0 where there is one alone.
        """
        self._life, self._replica = self._lives[replica], replica
        sightings = tuple(
            sighting
            for event in events
            if (sighting := self._sighting((edge, connection), event)) is not None
        )
        if len(self._waiting) > self._armed:  # there is one beyond the fault that is looked for
            self._life.seen.extend(sightings)
        fault = next((f for s in sightings if (f := self._met(s)) is not None), None)
        return Seen(sightings, fault)

    # ── matching ─────────────────────────────────────────────────────────────────────────────────

    def _met(self, sighting: Sighting) -> Fault | None:
        if not self._armed or not self._waiting:
            return None
        wanted = self._waiting[0].at
        if not self._counts(wanted, sighting):
            return None
        if sighting.side is not wanted.side:
            return None
        self._armed = False
        return self._waiting.pop(0)

    def _counts(self, wanted: Moment, sighting: Sighting) -> bool:
        """Whether this is the match that the moment's number asks for, whichever side it is."""
        if (wanted.edge, wanted.event) != (sighting.edge, sighting.event):
            return False
        if not matches_selector(wanted, sighting):
            return False
        key = (sighting.replica, sighting.event, sighting.number)
        count = self._matches.setdefault(key, len(self._matches) + 1)
        return count == (wanted.number or 1)

    # ── naming ───────────────────────────────────────────────────────────────────────────────────

    def _sighting(self, at: Connection, event: Event) -> Sighting | None:
        match event:
            case Joined():
                return self._joined(at, event)
            case RecordsFetched():
                self._life.records_seen = True
                return self._asked_once(at, "fetch", Side.AFTER, _spans(event.spans))
            case OffsetCommitAsked():
                return self._ask(at, "offset_commit", event.exchange, _positions(event.positions))
            case OffsetCommitAnswered():
                return self._answer(at, "offset_commit", event.exchange, ok=bool(event.positions))
            case ProduceAsked():
                return self._ask(at, "produce", event.exchange, _places(event.spans))
            case ProduceAnswered():
                return self._answer(at, "produce", event.exchange, ok=not event.errors)
            case TxnOffsetCommitAsked():
                identities = _positions(event.positions)
                return self._ask(at, "txn_offset_commit", event.exchange, identities)
            case TxnOffsetCommitAnswered():
                ok = bool(event.positions)
                return self._answer(at, "txn_offset_commit", event.exchange, ok=ok)
            case EndTxnAsked():
                return self._ask(at, "end_txn", event.exchange, ((),))
            case EndTxnAnswered():
                return self._answer(at, "end_txn", event.exchange, ok=event.error is None)
            case _ if self._rules.from_start or self._life.records_seen:
                return self._postgres(at, event)
            case _:
                return None

    def _postgres(self, at: Connection, event: Event) -> Sighting | None:
        match event:
            case BeginAsked():
                return self._ask(at, "begin", event.exchange, ((),))
            case BeginAnswered():
                return self._answer(at, "begin", event.exchange)
            case WriteAsked():
                return self._write(at, event)
            case WriteAnswered():
                return self._answer(at, "write", event.exchange)
            case CommitAsked():
                return self._end(at, "commit", event.exchange, event.transaction)
            case CommitAnswered():
                return self._answer(at, "commit", event.exchange)
            case RollbackAsked():
                return self._end(at, "rollback", event.exchange, event.transaction)
            case RollbackAnswered():
                return self._rolled_back(at, event)
            case _:
                return None

    def _joined(self, at: Connection, event: Joined) -> Sighting | None:
        """Only the first answer of a group is a join: rejoins and rebalances depend on time."""
        if event.group in self._life.joined:
            return None
        self._life.joined.add(event.group)
        return self._asked_once(at, "join", Side.AFTER, ((),))

    def _write(self, at: Connection, event: WriteAsked) -> Sighting | None:
        if event.tables and event.tables <= self._rules.ignore_tables:
            return None
        transaction = self._life.transactions.setdefault((at, event.transaction), _Transaction())
        if transaction.number is None:
            self._life.writing += 1
            transaction.number = self._life.writing
        transaction.writes += 1
        identity: Identity = (
            ("transaction", transaction.number),
            ("statement", transaction.writes),
        )
        return self._ask(at, "write", event.exchange, (identity,))

    def _end(self, at: Connection, name: str, exchange: int, transaction: int) -> Sighting | None:
        wrote = self._life.transactions.get((at, transaction))
        if wrote is None or wrote.number is None:
            return None
        return self._ask(at, name, exchange, ((("transaction", wrote.number),),))

    def _rolled_back(self, at: Connection, event: RollbackAnswered) -> Sighting | None:
        """A COMMIT answered ROLLBACK was asked as a commit: it gets a rollback's own number."""
        answered = self._answer(at, "rollback", event.exchange)
        if answered is not None:
            return answered
        wrote = self._life.transactions.get((at, event.transaction))
        if wrote is None or wrote.number is None:
            return None
        self._life.asked.pop((at, "commit", event.exchange), None)
        identity: Identity = (("transaction", wrote.number),)
        return self._asked_once(at, "rollback", Side.AFTER, (identity,))

    def _asked_once(
        self, at: Connection, name: str, side: Side, identities: tuple[Identity, ...]
    ) -> Sighting:
        edge = at[0]
        self._life.numbers[edge, name] += 1
        if self._replica:
            identities = tuple(((REPLICA, self._replica), *identity) for identity in identities)
        return Sighting(edge, name, side, self._life.numbers[edge, name], identities)

    def _ask(
        self, at: Connection, name: str, exchange: int, identities: tuple[Identity, ...]
    ) -> Sighting:
        sighting = self._asked_once(at, name, Side.BEFORE, identities)
        self._life.asked[at, name, exchange] = sighting
        return sighting

    def _answer(
        self, at: Connection, name: str, exchange: int, *, ok: bool = True
    ) -> Sighting | None:
        asked = self._life.asked.pop((at, name, exchange), None)
        if asked is None or not ok:
            return None
        return Sighting(asked.edge, asked.event, Side.AFTER, asked.number, asked.identities)


def matches_selector(moment: Moment, sighting: Sighting) -> bool:
    """Whether one of the sighting's identities has every value of the moment's selector.

    For a fetch the offset is that of a contained record: identities then hold `offset` and `next`.
    """
    if not moment.selector:
        return True
    return any(_has(dict(identity), moment.selector) for identity in sighting.identities)


def _has(identity: dict[str, Value], selector: Identity) -> bool:
    return all(_has_one(identity, name, value) for name, value in selector)


def _has_one(identity: dict[str, Value], name: str, value: Value) -> bool:
    own, end = identity.get(name), identity.get("next")
    if name == "offset" and isinstance(end, int) and isinstance(own, int):
        return isinstance(value, int) and own <= value < end
    return own == value


def _positions(positions: tuple[Position, ...]) -> tuple[Identity, ...]:
    return tuple(
        (("topic", p.topic), ("partition", p.partition), ("offset", p.offset)) for p in positions
    )


def _spans(spans: tuple[Span, ...]) -> tuple[Identity, ...]:
    return tuple(
        (("topic", s.topic), ("partition", s.partition), ("offset", s.first), ("next", s.next))
        for s in spans
    )


def _places(spans: tuple[Span, ...]) -> tuple[Identity, ...]:
    return tuple((("topic", s.topic), ("partition", s.partition)) for s in spans)
