"""What the audit of a topic of a million events takes: the ledger, and the check over it.

Counterpart: `auditor` measures in a process of its own, on a stack of its own, so that neither this
one's memory nor that of the producer counts.
"""

import json
from collections.abc import Iterator
from typing import Final, cast

from scripts.benchmark.figure import Better, Figure
from scripts.benchmark.lane import client
from scripts.soaking.memory import MIB

EVENTS: Final = 1_000_000
KEYS: Final = 100_000
SECONDS_AIM: Final = 5.0
MB_AIM: Final = 500.0


async def audit() -> list[Figure]:
    """Seconds and the peak of the resident set."""
    found = cast("dict[str, float]", json.loads(await client("auditor", str(EVENTS), str(KEYS))))
    return list(_figures(found))


def _figures(found: dict[str, float]) -> Iterator[Figure]:
    what = f"{EVENTS:,} events over {KEYS:,} keys"
    yield Figure(
        "audit",
        found["ledger"] + found["check"] + found["duplicates"],
        SECONDS_AIM,
        Better.LOWER,
        f"{what}: seconds to read the topic into the ledger, compute the expected totals, compare "
        "them with the database's and look for source duplicates; producing is not in it",
        "seconds",
        {part: round(found[part], 2) for part in ("ledger", "check", "duplicates", "cpu")},
    )
    yield Figure(
        "audit",
        found["peak"] / MIB,
        MB_AIM,
        Better.LOWER,
        f"{what}: the highest resident set of killpoint's process meanwhile, in MiB; Kafka and "
        "Postgres are processes of their own",
        "rss_mb",
        {"before": round(found["before"] / MIB)},
    )
