"""The stack of a session: an environment with one lane of proxies for each target at work.

The Kafka proxy of a lane is bound before the broker starts, as the broker advertises its address.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from time import monotonic

from killpoint.compose.docker_network import cannot_listen
from killpoint.compose.housing import Housing, ThisMachine
from killpoint.faults.environment import Address, Environment
from killpoint.faults.proxy import Proxy
from killpoint.faults.to_the_end import to_the_end
from killpoint.faults.wire.kafka import KafkaMachine
from killpoint.faults.wire.kafka_topics import KafkaTopics
from killpoint.faults.wire.postgres import PostgresMachine


@dataclass(slots=True)
class Lane:
    """The proxies of one target. `number` counts from 1; `writing_functions` are its subject's.

    Of several replicas each has its own, the first `kafka` and `postgres`, those `beside` it theirs
    in order: so what comes through one is known to be of that replica.
    """

    number: int
    replicas: int = 1
    kafka: Proxy = field(init=False)
    postgres: Proxy = field(init=False)
    beside: list[tuple[Proxy, Proxy]] = field(default_factory=list[tuple[Proxy, Proxy]])
    writing_functions: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        topics, kafka, postgres = KafkaTopics(), count(1), count(1)

        def pair(replica: int) -> tuple[Proxy, Proxy]:
            return (
                Proxy("kafka", lambda: KafkaMachine(topics), replica, kafka),
                Proxy(
                    "postgres",
                    lambda: PostgresMachine(self.writing_functions),
                    replica,
                    postgres,
                ),
            )

        self.kafka, self.postgres = pair(0 if self.replicas == 1 else 1)
        self.beside = [pair(replica) for replica in range(2, self.replicas + 1)]

    @property
    def pairs(self) -> list[tuple[Proxy, Proxy]]:
        """The proxies of each replica to Kafka and to Postgres."""
        return [(self.kafka, self.postgres), *self.beside]

    @property
    def proxies(self) -> tuple[Proxy, ...]:
        """All of them."""
        return tuple(proxy for pair in self.pairs for proxy in pair)


@dataclass(slots=True)
class Stack:
    """A started environment and its lanes; an async context manager that leaves nothing behind.

    `another` makes an environment of the same kind, for lanes with servers of their own; `first` is
    the number of the first lane here. `replicas` are the instances of each target.
    """

    environment: Environment
    lanes_wanted: int = 1
    housing: Housing = field(default_factory=ThisMachine)
    another: Callable[[], Environment] | None = None
    first: int = 1
    replicas: int = 1
    lanes: list[Lane] = field(default_factory=list[Lane])
    seconds: float = 0.0

    async def __aenter__(self) -> "Stack":
        began = monotonic()
        try:
            await self._start()
        except BaseException:
            await self._stop()
            raise
        self.seconds = monotonic() - began
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stop()

    def beside(self, lane: int) -> "Stack":
        """A stack of its own for one more lane, not started; its targets live in the same house."""
        assert self.another is not None, "this stack is the only one"
        own = self.another()
        return Stack(own, housing=self.housing, first=lane, replicas=self.replicas)

    async def _start(self) -> None:
        numbers = range(self.first, self.first + self.lanes_wanted)
        each = self.replicas if self.housing.tells_apart else 1
        self.lanes = [Lane(number, each) for number in numbers]
        pairs = [pair for lane in self.lanes for pair in lane.pairs]
        advertised = [await self._listen(kafka) for kafka, _ in pairs]
        for _, postgres in pairs:
            await self._listen(postgres)
        services = self.housing.services
        if services is not None:
            advertised.append(await services.open())
        upstreams = await self.environment.start(advertised)
        if services is not None:
            services.lead(upstreams.pop())
        for (kafka, postgres), upstream in zip(pairs, upstreams, strict=True):
            kafka.upstream, postgres.upstream = upstream.kafka, upstream.postgres

    async def _listen(self, proxy: Proxy) -> Address:
        """Where targets live they must reach it, and nobody else has to."""
        host, wanted = self.housing.host_of(proxy.replica), self.housing.listens(proxy.edge)
        try:
            return await proxy.listen(host, wanted.port, named=wanted.host)
        except OSError as error:
            raise cannot_listen(Address(host, wanted.port), error) from error

    async def _stop(self) -> None:
        await to_the_end(self._end())

    async def _end(self) -> None:
        for proxy in (proxy for lane in self.lanes for proxy in lane.proxies):
            await proxy.close()
        await self.environment.stop()
