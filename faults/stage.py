"""The stage: everything that one lane's runs and actions work on.

The session builds it once for each lane; it holds no state of a single run.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from killpoint.faults.databases import Databases
from killpoint.faults.durability import DurabilityRules
from killpoint.faults.environment import Broker, DatabaseServer
from killpoint.faults.gate import GateRules
from killpoint.faults.history import Files
from killpoint.faults.neighbours import Neighbours
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.proxy import Proxy
from killpoint.faults.target import Exit, Several, Target

LEAST_PASSING_SECONDS = 0.25
GAPS_PASSING = 5.0
SLOWER_STARTS = 5.0
"""How much longer than in a clean run a start may take, in lanes that share processors."""


class Restart(StrEnum):
    """When the target is started again after an exit that killpoint did not cause."""

    ALWAYS = "always"
    ON_FAILURE = "on-failure"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Patience:
    """The limits of one run, in seconds; `restart_limit` counts restarts without progress."""

    start_seconds: float = 60.0
    drain_seconds: float = 30.0
    takeover_seconds: float = 15.0
    stop_seconds: float = 10.0
    last_words_seconds: float = 1.0
    settle_seconds: float = 2.0
    gone_seconds: float = 10.0
    restart_limit: int = 5
    overtake_seconds: float = 10.0
    passing_seconds: float = 0.5

    def after_clean_runs(
        self, join_seconds: float, saving_seconds: float, gap_seconds: float
    ) -> "Patience":
        """Once it is known how long a start takes, how often offsets are saved, and steps follow.

        No start is given up that is only slower, and a timer is waited for twice.
        """
        return replace(
            self,
            start_seconds=max(self.start_seconds, SLOWER_STARTS * join_seconds),
            overtake_seconds=min(2 * saving_seconds + 1.0, self.drain_seconds),
            passing_seconds=max(LEAST_PASSING_SECONDS, GAPS_PASSING * gap_seconds),
        )


@dataclass(frozen=True, slots=True)
class Launch:
    """How one incarnation is started; `after_start` is what then runs beside it."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    after_start: "Launch | None" = None


class HookFailed(RuntimeError):
    """A program of the user's failed; the message has the end of its output."""


async def _no_hook(_: Launch) -> None:
    """Nothing is run where no hook is wished."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """What runs around each scenario, by database and group. `run` raises HookFailed."""

    before: Callable[[str, str], Launch] | None = None
    after: Callable[[str, str], Launch] | None = None
    run: Callable[[Launch], Awaitable[None]] = _no_hook


@dataclass(frozen=True, slots=True)
class Late:
    """Events that are held back when a run begins.

    They come while the target is down after the first fault, or, where none has come by then, as
    soon as the target has done the others: a run ends with all events there. `ends` are those
    without them; `produce` sends them and gives the ends with them.
    """

    ends: Mapping[TopicPartition, int]
    produce: Callable[[], Awaitable[Mapping[TopicPartition, int]]]


@dataclass(slots=True)
class Stage:
    """One lane: its target, its proxies, the servers' control and the rules of its runs.

    `launch(database, group)` gives command and environment for each start. `start_positions` are
    set for every group that the target names (`groups_used` are those of earlier runs, whose old
    offsets must go first). `ends`: the last data record + 1 of each source partition, moved by
    events that come `late`.
    `read_back`: partitions that the clean runs wrote to and saved offsets of, such as retries.
    `numbering_tables`: those whose rows a sequence numbers. `files` tells what the files that the
    target changes hold, where there are any; `steady_files`: those that hold the same after each
    clean run.
    `own_addresses` are those of what killpoint serves itself.
    `reset_topics` brings the topics back to their first state, where the target writes to topics;
    `refresh` whatever else stands beside the target, once its database is there. `unwatched` names
    what keeps a state there that nobody looks at.
    `database_made` is told of each run's database before the target is started.
    `replicas`: how many instances there are, where they are told apart. `several` is the target if
    one of them dies alone; `launch_one` then says how the replica of a number is started again.
    """

    target: Target
    proxies: Sequence[Proxy]
    broker: Broker
    database: DatabaseServer
    template: str
    launch: Callable[[str, str], Launch]
    start_positions: tuple[Position, ...]
    ends: Mapping[TopicPartition, int]
    rules: GateRules = field(default_factory=GateRules)
    patience: Patience = field(default_factory=Patience)
    restart: Restart = Restart.ALWAYS
    position_query: str | None = None
    reset_topics: Callable[[], Awaitable[None]] | None = None
    late: Late | None = None
    refresh: Callable[[], Awaitable[None]] | None = None
    unwatched: tuple[str, ...] = ()
    database_made: Callable[[str], Awaitable[None]] | None = None
    direct_addresses: frozenset[tuple[str, int]] = frozenset()
    neighbours: Neighbours = field(default_factory=Neighbours)
    own_addresses: frozenset[tuple[str, int]] = frozenset()
    hooks: Hooks = field(default_factory=Hooks)
    topics_beside: frozenset[str] = frozenset()
    read_back: frozenset[TopicPartition] = frozenset()
    groups_used: set[str] = field(default_factory=set[str])
    numbering_tables: frozenset[str] = frozenset()
    files: Callable[[], Files] | None = None
    steady_files: frozenset[str] = frozenset()
    replicas: int = 1
    several: Several | None = None
    launch_one: Callable[[int], Launch] | None = None
    databases: Databases = field(init=False)

    def __post_init__(self) -> None:
        self.databases = Databases(self.database, self.template, self.neighbours)

    @property
    def durability(self) -> DurabilityRules:
        """What belongs to a crash state here."""
        ignored, alone = self.rules.ignore_tables, self.several is not None
        return DurabilityRules(ignored, self.numbering_tables, self.steady_files, alone)

    @property
    def sources(self) -> frozenset[str]:
        """The topics whose records are events for the target."""
        back = {place.topic for place in self.read_back}
        return frozenset({*(place.topic for place in self.ends), *back, *self.topics_beside})

    async def prepared(self, database: str) -> list[str]:
        """The transactions that are prepared in any of them, and in doubt."""
        found = [await self.database.prepared(name) for name in self.neighbours.all(database)]
        return [transaction for names in found for transaction in names]

    async def kill(self, replica: int | None) -> None:
        """End the target, or one replica of it, by SIGKILL."""
        if replica is None or self.several is None:
            await self.target.kill()
        else:
            await self.several.kill_one(replica)

    async def terminate(self, replica: int | None) -> Exit:
        """End the target, or one replica of it, in good order."""
        grace = self.patience.stop_seconds
        if replica is None or self.several is None:
            return await self.target.terminate(grace)
        return await self.several.terminate_one(replica, grace)

    async def connections_ended(self, replica: int | None = None) -> None:
        """Let what a target, or one replica, that has ended has said reach the servers."""
        for proxy in self._proxies_of(replica):
            await proxy.connections_ended(self.patience.last_words_seconds)

    async def close_connections(self, replica: int | None = None) -> None:
        """Close every connection of every edge, or a replica's; what was held is dropped."""
        for proxy in self._proxies_of(replica):
            await proxy.close_connections()

    def _proxies_of(self, replica: int | None) -> list[Proxy]:
        return [proxy for proxy in self.proxies if replica in (None, proxy.replica)]
