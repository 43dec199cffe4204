"""The stack of a session: an environment with one lane of proxies for each target at work.

The Kafka proxy of a lane is bound before the broker starts, as the broker advertises its address.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
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
    """The proxies of one target. `number` counts from 1; `writing_functions` are its subject's."""

    number: int
    kafka: Proxy = field(init=False)
    postgres: Proxy = field(init=False)
    writing_functions: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        topics = KafkaTopics()
        self.kafka = Proxy("kafka", lambda: KafkaMachine(topics))
        self.postgres = Proxy("postgres", lambda: PostgresMachine(self.writing_functions))


@dataclass(slots=True)
class Stack:
    """A started environment and its lanes; an async context manager that leaves nothing behind.

    `another` makes an environment of the same kind, for lanes with servers of their own; `first` is
    the number of the first lane here.
    """

    environment: Environment
    lanes_wanted: int = 1
    housing: Housing = field(default_factory=ThisMachine)
    another: Callable[[], Environment] | None = None
    first: int = 1
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
        return Stack(self.another(), housing=self.housing, first=lane)

    async def _start(self) -> None:
        numbers = range(self.first, self.first + self.lanes_wanted)
        self.lanes = [Lane(number) for number in numbers]
        advertised = [await self._listen(lane.kafka) for lane in self.lanes]
        for lane in self.lanes:
            await self._listen(lane.postgres)
        services = self.housing.services
        if services is not None:
            advertised.append(await services.open())
        upstreams = await self.environment.start(advertised)
        if services is not None:
            services.lead(upstreams.pop())
        for lane, upstream in zip(self.lanes, upstreams, strict=True):
            lane.kafka.upstream = upstream.kafka
            lane.postgres.upstream = upstream.postgres

    async def _listen(self, proxy: Proxy) -> Address:
        """Where targets live they must reach it, and nobody else has to."""
        host, wanted = self.housing.host, self.housing.listens(proxy.edge)
        try:
            return await proxy.listen(host, wanted.port, named=wanted.host)
        except OSError as error:
            raise cannot_listen(Address(host, wanted.port), error) from error

    async def _stop(self) -> None:
        await to_the_end(self._end())

    async def _end(self) -> None:
        for lane in self.lanes:
            await lane.kafka.close()
            await lane.postgres.close()
        await self.environment.stop()
