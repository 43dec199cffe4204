"""What the wire machines say: the events of both protocols, as plain frozen data.

Counterpart: `faults/wire` makes them from bytes, the gate names moments from them, the history
keeps them. Nothing here knows of sockets or time. An event `…Asked` belongs to a request that has
not been forwarded yet (side `before`), one `…Answered` to an answer that has not been forwarded yet
(side `after`). `exchange` numbers the requests of one connection, so that the two are paired.
"""

from dataclasses import dataclass

from killpoint.faults.position import Position, Span

# ── Kafka ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class GroupNamed:
    """A request that names a consumer group is about to be forwarded (any API, each request)."""

    group: str


@dataclass(frozen=True, slots=True)
class Subscribed:
    """A member names the topics that it wants, in a request that joins or changes them."""

    group: str
    topics: frozenset[str]


@dataclass(frozen=True, slots=True)
class TopicsSought:
    """Metadata of these topics are asked for: a client does so before it joins for them."""

    topics: frozenset[str]


@dataclass(frozen=True, slots=True)
class MemberNamed:
    """A member's id is known, and its join is not answered yet.

    Said when the broker gives an id out (MEMBER_ID_REQUIRED, KIP-394), and when a member that has
    one asks to join: from then on the group waits for it, whether it lives or not.
    """

    group: str
    member: str
    instance: str | None
    protocol: str  # "classic" or "consumer"


@dataclass(frozen=True, slots=True)
class MemberUnnamed:
    """A member asks to join without an id, in a version before KIP-394: it is in the group at once,

    and its id comes only with the answer, when all others have joined.
    """

    group: str


@dataclass(frozen=True, slots=True)
class Joined:
    """The broker took a member into a group: JoinGroup, or ConsumerGroupHeartbeat (KIP-848).

    Said for each JoinGroup answer without an error, and for the first heartbeat answer without an
    error of a member. `epoch` is the generation (classic) or member epoch (consumer protocol).
    """

    group: str
    member: str
    instance: str | None
    protocol: str  # "classic" or "consumer"
    epoch: int


Member = MemberNamed | Joined
"""What names a member of a group."""


@dataclass(frozen=True, slots=True)
class Left:
    """A member asked to leave its group and the broker agreed."""

    group: str
    member: str


@dataclass(frozen=True, slots=True)
class OffsetSought:
    """ListOffsets was asked: `timestamp` is -1 for the end, -2 for the start (protocol guide)."""

    topic: str
    partition: int
    timestamp: int


@dataclass(frozen=True, slots=True)
class FetchAsked:
    """A Fetch request: the next offset wanted of each partition of its session (KIP-227)."""

    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class RecordsFetched:
    """A Fetch answer with records (never empty)."""

    exchange: int
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class OffsetCommitAsked:
    exchange: int
    group: str
    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class OffsetCommitAnswered:
    """`positions` are those that the broker took, `errors` the codes of the others, by name."""

    exchange: int
    group: str
    positions: tuple[Position, ...]
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProduceAsked:
    """`spans` have `first` 0 and `next` the number of records, as offsets are not known yet."""

    exchange: int
    transactional_id: str | None
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class ProduceAnswered:
    """`spans` hold the offsets given by the broker; acks=0 has no answer."""

    exchange: int
    transactional_id: str | None
    spans: tuple[Span, ...]
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TxnOffsetCommitAsked:
    exchange: int
    transactional_id: str
    group: str
    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class TxnOffsetCommitAnswered:
    exchange: int
    transactional_id: str
    group: str
    positions: tuple[Position, ...]
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EndTxnAsked:
    exchange: int
    transactional_id: str
    committed: bool


@dataclass(frozen=True, slots=True)
class EndTxnAnswered:
    exchange: int
    transactional_id: str
    committed: bool
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ProducerStarted:
    """InitProducerId was answered without an error."""

    transactional_id: str | None
    producer_id: int
    epoch: int


@dataclass(frozen=True, slots=True)
class ForeignSpeech:
    """The client speaks what killpoint cannot read: `what` is "TLS" or "SASL"."""

    what: str


# ── Postgres ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class EncryptionRefused:
    """The client left when it was refused encryption: `what` is "TLS" or "GSSAPI".

    Whether it insists shows later: some come again without, on a connection of its own (pgx).
    """

    what: str


@dataclass(frozen=True, slots=True)
class BackendStarted:
    """BackendKeyData: the server's process of this connection."""

    pid: int


@dataclass(frozen=True, slots=True)
class BackendReady:
    """ReadyForQuery: `status` is I (idle), T (in a transaction) or E (in a failed one)."""

    status: str


@dataclass(frozen=True, slots=True)
class BeginAsked:
    exchange: int
    transaction: int


@dataclass(frozen=True, slots=True)
class BeginAnswered:
    exchange: int
    transaction: int


@dataclass(frozen=True, slots=True)
class WriteAsked:
    """A statement that writes. `tables` are those it names as targets, lower case, perhaps none.

    `transaction` numbers the connection's transactions (explicit and implicit), from 1. `empties`:
    DROP TABLE or TRUNCATE.
    """

    exchange: int
    transaction: int
    tables: frozenset[str]
    empties: bool = False


@dataclass(frozen=True, slots=True)
class WriteAnswered:
    """The server has done it. `rows` is the tag's count, None where the tag has none."""

    exchange: int
    transaction: int
    rows: int | None


@dataclass(frozen=True, slots=True)
class CommitAsked:
    """A commit, explicit or (`auto`) implied by the end of an autocommit statement or pipeline.

    Said for every explicit COMMIT, and for an implicit one only if the transaction wrote.
    `exchange` of an implicit commit differs from that of its write.
    """

    exchange: int
    transaction: int
    auto: bool


@dataclass(frozen=True, slots=True)
class CommitAnswered:
    """The server says that it committed (the tag, or ReadyForQuery for extended autocommit)."""

    exchange: int
    transaction: int
    auto: bool


@dataclass(frozen=True, slots=True)
class RollbackAsked:
    """ROLLBACK, or COMMIT of a transaction that is known to have failed."""

    exchange: int
    transaction: int


@dataclass(frozen=True, slots=True)
class RollbackAnswered:
    """The server rolled back; also the answer to a COMMIT of a failed transaction."""

    exchange: int
    transaction: int


@dataclass(frozen=True, slots=True)
class SequenceMoved:
    """A statement is about to ask a sequence for a value by name; a rollback does not undo that."""


@dataclass(frozen=True, slots=True)
class StatementFailed:
    """ErrorResponse: `code` is the SQLSTATE, `message` the server's primary text."""

    code: str
    message: str


KafkaEvent = (
    GroupNamed
    | MemberNamed
    | MemberUnnamed
    | Subscribed
    | TopicsSought
    | Joined
    | Left
    | OffsetSought
    | FetchAsked
    | RecordsFetched
    | OffsetCommitAsked
    | OffsetCommitAnswered
    | ProduceAsked
    | ProduceAnswered
    | TxnOffsetCommitAsked
    | TxnOffsetCommitAnswered
    | EndTxnAsked
    | EndTxnAnswered
    | ProducerStarted
    | ForeignSpeech
)
PostgresEvent = (
    EncryptionRefused
    | BackendStarted
    | BackendReady
    | BeginAsked
    | BeginAnswered
    | WriteAsked
    | WriteAnswered
    | CommitAsked
    | CommitAnswered
    | RollbackAsked
    | RollbackAnswered
    | SequenceMoved
    | StatementFailed
    | ForeignSpeech
)
Event = KafkaEvent | PostgresEvent
