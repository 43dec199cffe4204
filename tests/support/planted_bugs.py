"""The planted bugs: kinds of public reports, each with the hits that show it and its verdict."""

from dataclasses import replace
from typing import Final

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.compose.consumers.catalogue import EVENTS
from tests.support.planted import (
    CLICKS_PER_LINK,
    COUNTS,
    PROCESSED,
    Hit,
    Planted,
    clicks,
)

CLEAN, LOST, TWICE = Outcome.CLEAN, Outcome.LOST, Outcome.COUNTED_TWICE
CLICKS: Final = "create table clicks (id text primary key, code text not null);\n"
CLICKS_IN_ROWS: Final = replace(
    CLICKS_PER_LINK, actual="select code, count(*) from clicks group by 1"
)

BUGS: Final = (
    Planted(
        "timer-commit",
        "timer_commit.py",
        Guarantee.NONE,
        (
            # Counted twice, unless the timer fires within those few milliseconds.
            Hit("postgres.commit#1:after", None),
            Hit("postgres.commit#4:after", None),
            Hit("postgres.commit#7:after", None),
            Hit("kafka.offset_commit{offset=3}:after", LOST),
        ),
    ),
    Planted(
        "client-defaults",
        "client_defaults.py",
        Guarantee.NONE,
        (
            Hit("postgres.commit#1:after", TWICE),
            Hit("kafka.offset_commit#1:after", CLEAN),
            # The timer of five seconds never falls into so little work by itself.
            Hit("postgres.commit#6:before", LOST, "overtake"),
        ),
    ),
    Planted(
        "parallel-max",
        "parallel_max.py",
        Guarantee.NONE,
        (
            # Another worker's offset may be on its way by then, or not: nothing is saved yet here.
            Hit("kafka.offset_commit#1:before", TWICE),
            Hit("kafka.offset_commit{offset=4}:after", LOST),
        ),
    ),
    Planted(
        "pool-highest",
        "pool_highest.py",
        Guarantee.NONE,
        (
            Hit("kafka.offset_commit#1:before", TWICE),
            # The other workers do all the rest meanwhile, and save the last offset.
            Hit("postgres.commit#1:before", LOST, "overtake"),
        ),
    ),
    Planted(
        "memory-buffer",
        "memory_buffer.py",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("kafka.fetch#1:after", CLEAN),
            Hit("kafka.offset_commit#1:after", LOST),
            Hit("postgres.commit#1:before", LOST),
            Hit("postgres.commit#1:after", CLEAN),
        ),
    ),
    Planted(
        "handed-over",
        "handed_over.py",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("kafka.offset_commit#1:after", LOST),
            Hit("kafka.offset_commit#2:after", LOST),
            Hit("postgres.commit#5:after", LOST),
        ),
    ),
    Planted(
        "unique-drops-batch",
        "unique_drops_batch.py",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("postgres.commit#2:before", CLEAN),
            Hit("postgres.commit#2:after", LOST),
            Hit("kafka.offset_commit#2:before", LOST),
            Hit("kafka.offset_commit#2:after", CLEAN),
        ),
        schema=CLICKS,
        check=CLICKS_IN_ROWS,
    ),
    Planted(
        # The same with a constant size: the new rows come while it is down.
        "unique-drops-new-rows",
        "unique_drops_batch.py",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("postgres.commit#1:before", CLEAN),
            Hit("postgres.commit#1:after", LOST),
            Hit("kafka.offset_commit#1:after", CLEAN),
        ),
        schema=CLICKS,
        check=CLICKS_IN_ROWS,
        env={"FIRST_BATCH": "8"},
        late=9,
    ),
    Planted(
        "count-then-save",
        "count_then_save.py",
        Guarantee.AT_LEAST_ONCE,
        (
            Hit("postgres.commit#2:before", CLEAN),
            Hit("postgres.commit#2:after", TWICE),
            Hit("kafka.offset_commit#2:before", TWICE),
            Hit("kafka.offset_commit#2:after", CLEAN),
            Hit("postgres.commit#2:after", CLEAN, "terminate"),
        ),
    ),
    Planted(
        "save-then-count",
        "save_then_count.py",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("kafka.offset_commit#2:before", CLEAN),
            Hit("kafka.offset_commit#2:after", LOST),
            Hit("postgres.commit#2:before", LOST),
            Hit("postgres.commit#2:after", CLEAN),
            Hit("kafka.offset_commit#2:after", CLEAN, "terminate"),
        ),
    ),
    Planted(
        "claim-first",
        "claim_first.py",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("postgres.commit#3:before", CLEAN),
            Hit("postgres.commit#3:after", LOST),
            Hit("postgres.commit#4:before", LOST),
            Hit("postgres.commit#4:after", CLEAN),
        ),
        schema=COUNTS + PROCESSED,
    ),
    Planted(
        "dedup-too-short",
        "dedup_too_short.py",
        Guarantee.AT_LEAST_ONCE,
        (
            Hit("postgres.commit#2:before", CLEAN),
            Hit("postgres.commit#2:after", TWICE),
            Hit("kafka.offset_commit#2:after", CLEAN),
        ),
    ),
    Planted(
        "latest-no-offset",
        "latest_no_offset.py",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("kafka.join#1:after", LOST),
            Hit("postgres.commit#1:before", LOST),
            Hit("postgres.commit#1:after", LOST),
            Hit("kafka.offset_commit#1:before", LOST),
            Hit("kafka.offset_commit#1:after", CLEAN),
        ),
        schema=COUNTS + PROCESSED,
        committed_start=False,
        late=EVENTS,
    ),
    Planted(
        "dlq-twice",
        "dlq_twice.py",
        Guarantee.AT_LEAST_ONCE,
        (
            Hit("kafka.produce#1:before", CLEAN),
            Hit("kafka.produce#1:after", TWICE),
            Hit("kafka.offset_commit{offset=3}:before", TWICE),
            Hit("kafka.offset_commit{offset=3}:after", CLEAN),
        ),
        schema=COUNTS + PROCESSED,
        check=replace(
            CLICKS_PER_LINK,
            expected="select value->>'code' as code, count(*) as clicks from events"
            " where topic = 'dlq-twice' group by 1",
        ),
        env={"RETRY_TOPIC": "dlq-twice-retry"},
        events={"dlq-twice": clicks("dlq-twice"), "dlq-twice-retry": ()},
    ),
    Planted(
        "eos-database-first",
        "eos_around_database.py",
        Guarantee.AT_LEAST_ONCE,
        (
            Hit("postgres.commit#2:before", CLEAN),
            Hit("postgres.commit#2:after", TWICE),
            Hit("kafka.end_txn#2:before", TWICE),
            Hit("kafka.end_txn#2:after", CLEAN),
        ),
        env={"ORDER": "database"},
    ),
    Planted(
        "eos-kafka-first",
        "eos_around_database.py",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("kafka.end_txn#2:before", CLEAN),
            Hit("kafka.end_txn#2:after", LOST),
            Hit("postgres.commit#2:before", LOST),
            Hit("postgres.commit#2:after", CLEAN),
        ),
        env={"ORDER": "kafka"},
    ),
    Planted(
        "commit-on-close",
        "commit_on_close.py",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("postgres.commit#2:before", CLEAN),
            Hit("postgres.commit#2:after", CLEAN),
            Hit("postgres.write{transaction=2,statement=2}:after", LOST, "terminate"),
        ),
        schema=COUNTS + PROCESSED,
    ),
    Planted(
        "shutdown-commits-position",
        "shutdown_commits_position.py",
        Guarantee.AT_MOST_ONCE,
        (
            Hit("postgres.commit#4:after", CLEAN),
            Hit("postgres.commit#4:after", LOST, "terminate"),
            Hit("postgres.commit#6:after", CLEAN, "terminate"),
        ),
        schema=COUNTS + PROCESSED,
    ),
    Planted(
        "off-by-one",
        "off_by_one.py",
        Guarantee.AT_LEAST_ONCE,
        (
            Hit("kafka.offset_commit#2:after", TWICE),
            Hit("kafka.offset_commit#2:after", TWICE, "terminate"),
            Hit("postgres.write{transaction=1,statement=1}:before", CLEAN),
        ),
    ),
)
"""In the order of the list of kinds.

Not among them, of those that a kill shows: handed-over where the child alone is killed and the
rewind of dedup-too-short, which need actions of their own, and webhook-twice: an HTTP edge.
"""
