"""The environment: what killpoint asks of whatever runs Kafka and Postgres.

Counterpart: `compose` implements these protocols (embedded; docker and external later). The control
connections go to the servers directly, never through the proxies.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from killpoint.faults.events import Member
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.record import Record
from killpoint.faults.table_image import Image


class EnvironmentFailed(RuntimeError):
    """A server could not be started or reached: what happened, why, and what to do (exit 4)."""


class QueryFailed(RuntimeError):
    """The database refused a statement; the message is the server's own."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where something listens: `host` and `port`, or `path` of a Unix socket."""

    host: str
    port: int
    path: str | None = None

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Login:
    """What a client needs to log in to Postgres; `host` and `port` are always TCP."""

    host: str
    port: int
    user: str
    password: str
    database: str


@dataclass(frozen=True, slots=True)
class Account:
    """A database's name, user and password, as a target has them built in; None: any will do."""

    database: str | None = None
    user: str | None = None
    password: str | None = None

    def over(self, other: "Account") -> "Account":
        """This one, completed by another."""
        return Account(
            self.database or other.database,
            self.user or other.user,
            self.password or other.password,
        )


class Broker(Protocol):
    """Control of a Kafka that killpoint owns. Errors are raised as EnvironmentFailed."""

    @property
    def direct(self) -> Address:
        """The address past the proxies, for producers and tools of the user's."""
        ...

    async def create_topics(self, topics: Mapping[str, int]) -> None:
        """Create topics (name to number of partitions); returns when each has its leaders."""
        ...

    async def delete_topics(self, topics: Iterable[str]) -> None:
        """Delete topics; returns when they are gone. One that does not exist is no error."""
        ...

    async def produce(self, records: Sequence[Record]) -> list[Position]:
        """Send records in order; a partition of -1 lets the partitioner choose.

        Returns the place of each, as the broker acknowledged it. Headers, keys and values may be
        None; a timestamp of 0 means now.
        """
        ...

    async def read(self, topics: Iterable[str], take: Callable[[Sequence[Record]], None]) -> None:
        """Read topics whole, read_committed, by partition and offset.

        `take` gets them in batches, in a thread: a topic may be larger than memory is wanted for.
        """
        ...

    async def commit_offsets(self, group: str, positions: Iterable[Position]) -> None:
        """Set a group's offsets; the group must have no members."""
        ...

    async def delete_group(self, group: str) -> None:
        """Forget a group; one that does not exist is no error."""
        ...

    async def committed(self, group: str) -> dict[TopicPartition, int]:
        """The group's committed next offsets; pending transactional ones are not among them."""
        ...

    async def members(self, group: str) -> list[Member]:
        """The members of a group of the classic protocol; none where it does not exist."""
        ...

    async def remove_member(self, member: Member) -> None:
        """Take a dead member out of its group at once (LeaveGroup, or a heartbeat of epoch -1)."""
        ...

    async def close(self) -> None:
        """Close the control connections."""
        ...


@dataclass(frozen=True, slots=True)
class BackendState:
    """What pg_stat_activity says of a backend."""

    pid: int
    waits_for_client: bool
    waits_for_lock: bool
    wrote: bool


class DatabaseServer(Protocol):
    """Control of a Postgres that killpoint owns. Errors are raised as EnvironmentFailed."""

    def login(self, database: str) -> Login:
        """How to reach a database past the proxies, by TCP."""
        ...

    async def admit(self, user: str, password: str) -> None:
        """Make a superuser of that name who logs in with that password, or give it that one."""
        ...

    async def create(self, database: str, template: str | None = None) -> None:
        """Create a database, as a copy of `template` where one is given."""
        ...

    async def exists(self, database: str) -> bool:
        """Whether there is a database of that name."""
        ...

    async def drop(self, database: str) -> None:
        """Drop a database and end what is still connected to it; a missing one is no error."""
        ...

    async def execute(self, database: str, script: str) -> None:
        """Run an SQL script. Raises QueryFailed."""
        ...

    async def query(self, database: str, sql: str) -> tuple[list[str], list[tuple[object, ...]]]:
        """Column names and rows. Raises QueryFailed."""
        ...

    async def backends(self, pids: Iterable[int]) -> list[BackendState]:
        """The state of those backends that still live."""
        ...

    async def prepared(self, database: str) -> list[str]:
        """The transactions that are prepared there and neither committed nor rolled back."""
        ...

    async def writing_functions(self, database: str) -> frozenset[str]:
        """Names of the user's own functions that may write (volatile), lower case."""
        ...

    async def numbering_tables(self, database: str) -> frozenset[str]:
        """Tables of the user's with a column that a sequence fills, lower case."""
        ...

    async def image(self, database: str, tables: Collection[str] | None, limit_rows: int) -> Image:
        """The named tables, or all, with their rows, at one instant. Raises QueryFailed.

        A table that does not fit into `limit_rows` with those before it comes without rows.
        """
        ...

    async def advance_sequences(self, database: str, steps: int) -> None:
        """Move every sequence on, as far as it can go by so many steps."""
        ...

    async def close(self) -> None:
        """Close the control connections."""
        ...


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where the proxies of one lane connect to."""

    kafka: Address
    postgres: Address


class Environment(Protocol):
    """A Kafka and a Postgres, empty, with one listener of the broker for each lane."""

    @property
    def stack(self) -> str:
        """The kind: "embedded"; "docker" later."""
        ...

    @property
    def description(self) -> str:
        """Versions in words, for the header of a report."""
        ...

    async def start(self, advertised: Sequence[Address]) -> list[Upstream]:
        """Start the servers; `advertised` is the Kafka proxy's address of each lane.

        Returns when both serve requests. Raises EnvironmentFailed.
        """
        ...

    @property
    def broker(self) -> Broker: ...

    @property
    def database(self) -> DatabaseServer: ...

    async def stop(self) -> None:
        """End everything that was started; also after a failed start. Never raises."""
        ...
