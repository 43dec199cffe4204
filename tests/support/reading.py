"""Topics read whole, as a list: for tests that look at each record."""

from killpoint.faults.environment import Broker
from killpoint.faults.record import Record


async def read_whole(broker: Broker, *topics: str) -> list[Record]:
    """The records of the topics, by topic, partition and offset."""
    found: list[Record] = []
    await broker.read(topics, found.extend)
    return found
