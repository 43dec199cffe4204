"""The three orders of counting and saving, each over many clients and shapes of topics.

The verdict follows from the order alone: no client, protocol or shape may change it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.faults.record import Record
from tests.support.planted import COUNTS, Hit, Planted, clicks, clicks_of

CLEAN, LOST, TWICE = Outcome.CLEAN, Outcome.LOST, Outcome.COUNTED_TWICE
EVENTS: Final = 16

SCHEMA: Final = COUNTS + (
    "create table consumer_offsets (topic text, partition integer, next_offset bigint not null,"
    " primary key (topic, partition));\n"
)
POSITION: Final = "select topic, partition, next_offset from consumer_offsets"


@dataclass(frozen=True, slots=True)
class Order:
    """One order of the steps, its verdict, and the commit sides of the second batch."""

    name: str
    guarantee: Guarantee
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """One client or shape."""

    name: str
    program: str = "orders.py"
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    partitions: int = 1
    topics: int = 1


ORDERS: Final = (
    Order(
        "count-then-save",
        Guarantee.AT_LEAST_ONCE,
        (
            Hit("postgres.commit#2:before", CLEAN),
            Hit("postgres.commit#2:after", TWICE),
            Hit("kafka.offset_commit#2:before", TWICE),
            Hit("kafka.offset_commit#2:after", CLEAN),
        ),
    ),
    Order(
        "save-then-count",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("kafka.offset_commit#2:before", CLEAN),
            Hit("kafka.offset_commit#2:after", LOST),
            Hit("postgres.commit#2:before", LOST),
            Hit("postgres.commit#2:after", CLEAN),
        ),
    ),
    Order(
        "offset-with-result",
        Guarantee.EFFECTIVELY_ONCE,
        (
            Hit("postgres.commit#2:before", CLEAN),
            Hit("postgres.commit#2:after", CLEAN),
        ),
    ),
)
VARIANTS: Final = (
    Variant("consumer-protocol", env={"GROUP_PROTOCOL": "consumer"}),
    Variant("four-partitions", partitions=4),
    Variant("two-topics", topics=2),
    Variant("pool", env={"STORE": "pool"}),
    Variant("autocommit", env={"STORE": "autocommit"}),
    Variant("pipeline", env={"STORE": "pipeline"}),
    Variant("asyncpg", "orders_asyncpg.py"),
    Variant("aiokafka", "orders_aiokafka.py"),
)

GO: Final = Variant("go", "go/main.go")
"""A program that has to be built first: `languages.py` gives the command."""


def matrix() -> Iterator[Planted]:
    """Every order over every variant."""
    for variant in VARIANTS:
        for order in ORDERS:
            yield _planted(order, variant)


def in_go(order: Order, program: Path) -> Planted:
    """One order as the Go program that was built."""
    return replace(_planted(order, GO), command=(str(program),))


def _planted(order: Order, variant: Variant) -> Planted:
    name = f"{order.name}-{variant.name}"
    topics = [name, *(f"{name}-{number}" for number in range(2, variant.topics + 1))]
    return Planted(
        name,
        variant.program,
        order.guarantee,
        order.hits,
        schema=SCHEMA,
        env={"ORDER": order.name, "TOPICS": " ".join(topics), **variant.env},
        events=_events(topics, variant),
        partitions=variant.partitions,
        position=POSITION if order.guarantee is Guarantee.EFFECTIVELY_ONCE else None,
    )


def _events(topics: list[str], variant: Variant) -> dict[str, tuple[Record, ...]]:
    if len(topics) == 1:
        return {topics[0]: clicks(topics[0], EVENTS, variant.partitions)}
    each = EVENTS // len(topics)
    return {topic: clicks_of(topic, n * each, each) for n, topic in enumerate(topics)}
