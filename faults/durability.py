"""From a history to the crash states: what would be left if the target were killed at each place.

Pure. Theory of operation: a kill settles before it ends the target, so a request that was
forwarded is as good as done, and counts from where it was asked. One that the server refused, in
the same history, never counts; one that was received when the edges were frozen was not forwarded
and does not count either. So the state at a frame, whichever side it is, is what the frames before
it have asked for. Transactions of the database are numbered over all lives in the order of their
first writes, those that were rolled back left out.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from killpoint.faults.crash_state import CrashState, OpenTransaction
from killpoint.faults.events import (
    CommitAsked,
    EndTxnAnswered,
    EndTxnAsked,
    Event,
    OffsetCommitAnswered,
    OffsetCommitAsked,
    ProduceAnswered,
    ProduceAsked,
    ProducerStarted,
    RecordsFetched,
    RollbackAnswered,
    SequenceMoved,
    TxnOffsetCommitAnswered,
    TxnOffsetCommitAsked,
    WriteAsked,
)
from killpoint.faults.history import Entry
from killpoint.faults.position import Position, Span, TopicPartition

Connection = tuple[str, int]
Request = tuple[int, Connection, int]  # life, connection, exchange
Transaction = tuple[int, Connection, int]  # life, connection, its number there
Saving = OffsetCommitAnswered | TxnOffsetCommitAnswered


@dataclass(frozen=True, slots=True)
class DurabilityRules:
    """`ignore_tables`: writes to these alone count for nothing (lower case).

    `numbering_tables` take from a sequence at each insert. `files`: the paths that belong to it.
    `one_dies`: of several replicas a kill ends one.
    """

    ignore_tables: frozenset[str] = frozenset()
    numbering_tables: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    one_dies: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A frame of a history and what a kill there leaves; `last`: the last step that counted.

    `work`: transactions committed after the first records came.
    """

    entry: Entry
    state: CrashState
    last: str = ""
    work: int = 0


def places(
    entries: Iterable[Entry], rules: DurabilityRules | None = None, held: Collection[int] = ()
) -> Iterator[Place]:
    """The place of each entry of a history, in order; `held`: entries that were not forwarded."""
    seen = list(entries)
    rules = rules or DurabilityRules()
    walk = _Walk(rules, _answers(seen))
    for index, entry in enumerate(seen):
        walk.live(entry.life)
        files = tuple(file for file in entry.files if file[0] in rules.files)
        state = replace(walk.state, files=files) if files else walk.state
        yield Place(entry, state, walk.last, walk.work)
        if index not in held:
            walk.forward(entry)


@dataclass(frozen=True, slots=True)
class Stop:
    """A fault as a history shows it: all edges were frozen at the entry `met`.

    `passed`: the last that was let pass afterwards on other connections. `kills`: what was held was
    never forwarded.
    """

    met: Entry
    passed: Entry | None = None
    kills: bool = True


def states_at(
    entries: Iterable[Entry], stops: Sequence[Stop], rules: DurabilityRules | None = None
) -> list[Place]:
    """What each fault of a run found done."""
    seen = list(entries)
    kills = [stop for stop in stops if stop.kills]
    held = held_after(seen, kills, one_dies=rules is not None and rules.one_dies)
    found = list(places(seen, rules, held))
    return [found[index_of(stop.passed or stop.met, seen)] for stop in stops]


def held_after(
    entries: Sequence[Entry], kills: Iterable[Stop], *, one_dies: bool = False
) -> set[int]:
    """The entries that were not forwarded: from each kill to the end of the life it ended."""

    def life(entry: Entry) -> tuple[int, int]:
        return entry.life, entry.replica if one_dies else 0

    held: set[int] = set()
    for stop in kills:
        met = index_of(stop.met, entries)
        last = met if stop.passed is None else index_of(stop.passed, entries)
        held |= {
            i
            for i, entry in enumerate(entries[met:], met)
            if life(entry) == life(stop.met) and (i >= last or entry.at == stop.met.at)
        }
    return held


def index_of(entry: Entry, entries: Sequence[Entry]) -> int:
    """Where this very entry stands; an equal one would be another frame."""
    return next(index for index, other in enumerate(entries) if other is entry)


@dataclass(slots=True)
class _Answers:
    """What the servers made of requests: those refused, and the offsets that they took."""

    refused: set[tuple[str, Request]] = field(default_factory=set[tuple[str, Request]])
    taken: dict[Request, tuple[Position, ...]] = field(
        default_factory=dict[Request, tuple[Position, ...]]
    )
    rolled_back: set[Transaction] = field(default_factory=set[Transaction])


def _answers(entries: Sequence[Entry]) -> _Answers:
    found = _Answers()
    for entry in entries:
        at = (entry.edge, entry.connection)
        for event in entry.events:
            match event:
                case OffsetCommitAnswered() | TxnOffsetCommitAnswered():
                    found.taken[entry.life, at, event.exchange] = event.positions
                case ProduceAnswered() if event.errors:
                    found.refused.add(("produce", (entry.life, at, event.exchange)))
                case EndTxnAnswered() if event.error is not None:
                    found.refused.add(("end_txn", (entry.life, at, event.exchange)))
                case RollbackAnswered():
                    found.rolled_back.add((entry.life, at, event.transaction))
                case _:
                    pass
    return found


@dataclass(slots=True)
class _Open:
    """A Kafka transaction under way: the group's offsets in it and its records."""

    offsets: list[Position] = field(default_factory=list[Position])
    records: Counter[TopicPartition] = field(default_factory=Counter[TopicPartition])


class _Walk:
    """Follows a history; `state` is what a kill would leave now."""

    def __init__(self, rules: DurabilityRules, answers: _Answers) -> None:
        self.state = CrashState()
        self.last = ""
        self.work = 0
        self._rules = rules
        self._answers = answers
        self._life = self._newest = 0
        self._numbers: dict[Transaction, int] = {}
        self._tables: dict[Transaction, set[str]] = {}
        self._log: Counter[TopicPartition] = Counter()
        self._visible: Counter[TopicPartition] = Counter()
        self._open: dict[str, _Open] = {}
        self._working = False

    def live(self, life: int) -> None:
        """The transactions of a dead life were rolled back; numbers go on.

        Where one replica dies the entries of the others are still of the life that they began in.
        """
        self._life = life
        if life > self._newest:
            self._newest = life
            self._working = False
            if not self._rules.one_dies:
                self._tables.clear()

    def forward(self, entry: Entry) -> None:
        """The entry's events happen."""
        at = (entry.edge, entry.connection)
        for event in entry.events:
            self._happen(at, event)

    def _happen(self, at: Connection, event: Event) -> None:
        match event:
            case RecordsFetched():
                self._working = True
            case WriteAsked():
                self._write((self._life, at, event.transaction), event.tables)
            case SequenceMoved():
                self._number_taken()
            case CommitAsked():
                self._commit((self._life, at, event.transaction))
            case OffsetCommitAsked():
                self._save(self._taken(at, event))
            case ProduceAsked():
                self._produce(at, event)
            case TxnOffsetCommitAsked():
                self._transaction(event.transactional_id).offsets += self._taken(at, event)
                self._step("offset in transaction")
            case EndTxnAsked():
                self._end(at, event)
            case ProducerStarted(transactional_id=str() as id):
                self._start(id)
            case _:
                pass

    def _step(self, last: str) -> None:
        self.last = last
        self.state = replace(
            self.state,
            log=_counts(self._log),
            visible=_counts(self._visible),
            open=tuple(
                OpenTransaction(id, tuple(sorted(one.offsets)), _counts(one.records))
                for id, one in sorted(self._open.items())
            ),
        )

    # ── Postgres ─────────────────────────────────────────────────────────────────────────────────

    def _write(self, transaction: Transaction, tables: frozenset[str]) -> None:
        if tables and tables <= self._rules.ignore_tables:
            return
        self._tables.setdefault(transaction, set()).update(tables)
        if transaction not in self._numbers and transaction not in self._answers.rolled_back:
            self._numbers[transaction] = len(self._numbers) + 1
        if self._rules.numbering_tables and (not tables or tables & self._rules.numbering_tables):
            self._number_taken()

    def _number_taken(self) -> None:
        self.state = replace(self.state, sequence=self.state.sequence + 1)
        self._step("sequence")

    def _commit(self, transaction: Transaction) -> None:
        tables = self._tables.pop(transaction, None)
        number = self._numbers.get(transaction)
        if tables is None or number is None:
            return
        self.work += self._working
        self.state = replace(self.state, transactions=self.state.transactions.with_one(number))
        self._step(" ".join(("commit of", ", ".join(sorted(tables)) or "a function")))

    # ── Kafka ────────────────────────────────────────────────────────────────────────────────────

    def _taken(
        self, at: Connection, asked: OffsetCommitAsked | TxnOffsetCommitAsked
    ) -> tuple[Position, ...]:
        """What the broker took; one that it has not answered is taken for done."""
        return self._answers.taken.get((self._life, at, asked.exchange), asked.positions)

    def _save(self, positions: tuple[Position, ...]) -> None:
        if positions:
            self.state = self.state.saving(positions)
            self._step("offset")

    def _produce(self, at: Connection, event: ProduceAsked) -> None:
        if ("produce", (self._life, at, event.exchange)) in self._answers.refused:
            return
        records = _records(event.spans)
        self._log.update(records)
        if event.transactional_id is None:
            self._visible.update(records)
        else:
            self._transaction(event.transactional_id).records.update(records)
        self._step("produce to " + ", ".join(sorted({span.topic for span in event.spans})))

    def _transaction(self, id: str) -> _Open:
        return self._open.setdefault(id, _Open())

    def _end(self, at: Connection, event: EndTxnAsked) -> None:
        if ("end_txn", (self._life, at, event.exchange)) in self._answers.refused:
            return
        ended = self._open.pop(event.transactional_id, _Open())
        if event.committed:
            self._visible.update(ended.records)
            self.state = self.state.saving(ended.offsets)
        self._step("end of transaction" if event.committed else "abort of transaction")

    def _start(self, id: str) -> None:
        """A transactional producer starts: what the one before it left open is aborted."""
        self._open.pop(id, None)
        epochs = Counter(dict(self.state.epochs))
        epochs[id] += 1
        self.state = replace(self.state, epochs=tuple(sorted(epochs.items())))
        self._step(self.last)


def _records(spans: Iterable[Span]) -> Counter[TopicPartition]:
    return Counter({span.place: span.next - span.first for span in spans})


def _counts(records: Counter[TopicPartition]) -> tuple[tuple[TopicPartition, int], ...]:
    return tuple(sorted((place, count) for place, count in records.items() if count))
