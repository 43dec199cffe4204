"""The audit that `audit` measures, on a stack of its own, with killpoint's own ledger and auditor.

The events are produced by this file again, in another process: that is no part of an audit.
"""

import asyncio
import gc
import json
import sys
from dataclasses import replace
from time import perf_counter, process_time
from typing import Final

from scripts.benchmark.kills import CONSUMER, Silence
from scripts.benchmark.lane import client
from scripts.soaking.memory import peak, reset_peak, resident

from killpoint.checks.duplicates import source_duplicates
from killpoint.checks.outcome import Outcome
from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.subject import DEMO_TOPIC, Source, sample_subject
from killpoint.cli.session.topics import Topics
from killpoint.cli.session.world import World
from killpoint.compose.consumers.catalogue import SAMPLES
from killpoint.compose.kafka_control import KafkaControl
from killpoint.faults.environment import Address
from killpoint.faults.record import Record

PARTITIONS: Final = 3
CHUNK: Final = 50_000
DATABASE: Final = "audited"
COUNTED: Final = """
insert into click_counts
select 'link-' || link, {events} / {keys} from generate_series(0, {keys} - 1) as link
"""


async def measure(events: int, keys: int) -> dict[str, float]:
    """Seconds of the parts, and bytes of memory before and at the highest."""
    async with opened_stack(1, Silence()) as stack:
        broker = stack.environment.broker
        await broker.create_topics({DEMO_TOPIC: PARTITIONS})
        direct = broker.direct
        await client("auditor", str(events), str(keys), direct.host, str(direct.port))
        return await _audited(stack, events, keys)


async def _audited(stack: Stack, events: int, keys: int) -> dict[str, float]:
    sample = next(sample for sample in SAMPLES if sample.name == CONSUMER)
    database = stack.environment.database
    await database.create(DATABASE)
    await database.execute(DATABASE, sample.schema + COUNTED.format(events=events, keys=keys))
    source = Source(DEMO_TOPIC, PARTITIONS, committed_start=True)
    subject = replace(sample_subject(sample), sources=(source,))
    topics = Topics(subject, stack.environment)
    auditor = World(subject, stack.environment, "bench-audit", topics).auditor
    before = resident()
    reset_peak()
    began, spent = perf_counter(), process_time()
    await topics.read()
    read = perf_counter()
    await auditor.use(topics.ledger)
    found = await auditor.audit(DATABASE)
    compared = perf_counter()
    repeated = await asyncio.to_thread(source_duplicates, topics.ledger)
    ended = perf_counter()
    if (topics.ledger.count, found.outcome, repeated) != (events, Outcome.CLEAN, 0):
        raise SystemExit(f"bench: the audit is not clean: {found}, {repeated} duplicates")
    return {
        "ledger": read - began,
        "check": compared - read,
        "duplicates": ended - compared,
        "cpu": process_time() - spent,
        "before": before,
        "peak": peak(),
    }


async def produce(events: int, keys: int, broker: Address) -> None:
    """Fill the topic, by turns of the keys."""
    control = KafkaControl(broker)
    for first in range(0, events, CHUNK):
        await control.produce([_click(n, n % keys) for n in range(first, first + CHUNK)])
    await control.close()


def _click(number: int, link: int) -> Record:
    value = {"id": f"click-{number}", "code": f"link-{link}", "status": "active"}
    return Record(DEMO_TOPIC, -1, 0, b"link-%d" % link, json.dumps(value).encode())


def main(events: int, keys: int, *broker: str) -> None:
    """Without an address of a broker measure, with one produce."""
    if broker:
        host, port = broker
        asyncio.run(produce(events, keys, Address(host, int(port))))
    else:
        print(json.dumps(asyncio.run(measure(events, keys))))


if __name__ == "__main__":
    gc.freeze()  # what is loaded, as the command's own entry point does
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
