"""How fast a plain consumer reads through the proxy, compared with directly."""

from collections.abc import Mapping
from statistics import median
from typing import Final

from scripts.benchmark.figure import Better, Figure
from scripts.benchmark.lane import client, open_lane

from killpoint.cli.session.stack import Stack
from killpoint.faults.environment import Address
from killpoint.faults.record import Record

RECORDS: Final = 400_000
BYTES: Final = 100
PAIRS: Final = 5
AIM: Final = 0.9
TOPIC: Final = "bench-consume"
CHUNK: Final = 50_000


async def consume(stack: Stack) -> Figure:
    """Fill a topic; consume it in a process of its own, by turns directly and through the proxy."""
    lane, broker = stack.lanes[0], stack.environment.broker
    await broker.create_topics({TOPIC: 1})
    chunk = [Record(TOPIC, 0, 0, None, b"x" * BYTES, (), 0)] * CHUNK
    for _ in range(RECORDS // CHUNK):
        await broker.produce(chunk)
    assert lane.kafka.address is not None
    pairs: list[tuple[float, float]] = []
    with open_lane(lane):
        await _rate(broker.direct, "warm")  # the broker's page cache and compiler
        for number in range(PAIRS):
            direct = await _rate(broker.direct, f"direct-{number}")
            pairs.append((direct, await _rate(lane.kafka.address, f"through-{number}")))
    await broker.delete_topics([TOPIC])
    return Figure(
        "consume_ratio",
        median(through / direct for direct, through in pairs),
        AIM,
        Better.HIGHER,
        f"confluent-kafka in a process of its own, {RECORDS} records of {BYTES} bytes, through the "
        "proxy ÷ directly, from the assignment to the last record; median of "
        f"{PAIRS} alternating pairs",
        values=_values(pairs),
    )


async def _rate(broker: Address, group: str) -> float:
    """Records a second."""
    return float(await client("consumer", str(broker), TOPIC, f"bench-{group}", str(RECORDS)))


def _values(pairs: list[tuple[float, float]]) -> Mapping[str, object]:
    return {
        "direct": [round(direct) for direct, _ in pairs],
        "through": [round(through) for _, through in pairs],
    }
