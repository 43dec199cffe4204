"""The sample consumers as data: what each needs, what is checked, and the right verdict.

Counterpart: the programs beside this file, which know nothing of killpoint, and `killpoint demo`,
which runs them. Nothing is started here.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from killpoint.faults.record import Record

EVENTS: Final = 12
BATCH: Final = 3


@dataclass(frozen=True, slots=True)
class SampleCheck:
    """`expected` is DuckDB SQL over the ledger, `actual` SQL on the consumer's database."""

    name: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample consumer.

    `schema` is the SQL script that its database starts from, `position` asks that database for
    topic, partition and next offset (None: the offsets are in Kafka), `one_by_one`: each event of a
    batch has a transaction of its own, `actions`: what is done at its moments, `guarantee` is the
    right verdict in the four words.
    """

    name: str
    file: str
    schema: str
    check: SampleCheck
    guarantee: str
    position: str | None = None
    one_by_one: bool = False
    actions: tuple[str, ...] = ("kill",)
    environment: Mapping[str, str] = field(default_factory=lambda: {"BATCH_SIZE": str(BATCH)})

    @property
    def total(self) -> int | None:
        """What the check adds up to when all is right; None if it does not count events."""
        return EVENTS if self.check is CLICKS_PER_LINK else None

    @property
    def path(self) -> Path:
        """The program."""
        return Path(__file__).with_name(self.file)


COUNTS: Final = "create table click_counts (code text primary key, clicks bigint not null);\n"
PROCESSED: Final = "create table processed (message_id text primary key);\n"
CLICKS_PER_LINK: Final = SampleCheck(
    name="clicks per link",
    expected="select value->>'code' as code, count(*) as clicks from events group by 1",
    actual="select code, clicks from click_counts",
)

SAMPLES: Final = (
    Sample(
        name="auto-commit",
        file="auto_commit.py",
        schema=COUNTS,
        check=CLICKS_PER_LINK,
        guarantee="no guarantee",
        one_by_one=True,
    ),
    Sample("save-then-count", "save_then_count.py", COUNTS, CLICKS_PER_LINK, "at most once"),
    Sample("count-then-save", "count_then_save.py", COUNTS, CLICKS_PER_LINK, "at least once"),
    Sample(
        name="commit-on-close",
        file="commit_on_close.py",
        schema=COUNTS + PROCESSED,
        check=CLICKS_PER_LINK,
        guarantee="at most once",
        actions=("kill", "terminate"),
    ),
    Sample(
        name="offset-with-result",
        file="offset_with_result.py",
        schema=COUNTS
        + "create table consumer_offsets (\n"
        + "    topic text, partition integer, next_offset bigint not null,\n"
        + "    primary key (topic, partition)\n"
        + ");\n",
        check=CLICKS_PER_LINK,
        guarantee="effectively once",
        position="select topic, partition, next_offset from consumer_offsets",
    ),
    Sample(
        name="message-id",
        file="message_id.py",
        schema=COUNTS + PROCESSED,
        check=CLICKS_PER_LINK,
        guarantee="effectively once",
    ),
    Sample(
        name="set-state",
        file="set_state.py",
        schema="create table link_states (code text primary key, status text not null);\n",
        check=SampleCheck(
            name="status per link",
            expected="select value->>'code' as code, value->>'status' as status, count(*) as links"
            " from events group by 1, 2",
            actual="select code, status, 1 as links from link_states",
        ),
        guarantee="effectively once",
    ),
)
"""In the order of the table that the demo prints: from the weakest guarantee to the strongest."""


def clicks(topic: str, count: int = EVENTS, batch: int = BATCH) -> tuple[Record, ...]:
    """Make the events that every sample counts: `count` clicks, each on a link of its own.

    A link of its own for each click tells a lost click from one that was counted twice. The last
    click of each batch wants a preview, which `auto_commit.py` takes its time for: the quick ones
    before it are counted before the timer of the offsets has passed, the slow one after it.
    """
    return tuple(_click(topic, number, slow=number % batch == batch - 1) for number in range(count))


def _click(topic: str, number: int, *, slow: bool) -> Record:
    code = f"link-{number}"
    event = {
        "id": f"click-{number}",
        "code": code,
        "status": "blocked" if number % 2 else "active",
        "preview": slow,
    }
    return Record(
        topic=topic,
        partition=0,
        offset=number,
        key=code.encode(),
        value=json.dumps(event, separators=(",", ":")).encode(),
    )
