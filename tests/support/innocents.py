"""The right consumers, each tempting to accuse for a reason of its own, and the hits to try."""

from dataclasses import replace
from typing import Final

from killpoint.checks.check import Check
from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.compose.consumers.catalogue import SAMPLES
from tests.support.planted import (
    CLICKS_PER_LINK,
    COUNTS,
    PROCESSED,
    Hit,
    Planted,
    with_duplicate,
)

ONCE: Final = Guarantee.EFFECTIVELY_ONCE
CLEAN: Final = Outcome.CLEAN
SAMPLE: Final = {sample.name: sample for sample in SAMPLES}

DATABASE_SIDES: Final = (
    Hit("postgres.write{transaction=2,statement=1}:after", CLEAN),
    Hit("postgres.commit#2:before", CLEAN),
    Hit("postgres.commit#2:after", CLEAN),
    Hit("postgres.commit#2:after", CLEAN, "terminate"),
)
BOTH_SIDES: Final = (
    *DATABASE_SIDES,
    Hit("kafka.offset_commit#2:before", CLEAN),
    Hit("kafka.offset_commit#2:after", CLEAN),
    Hit("kafka.offset_commit#2:before", CLEAN, "terminate"),
)
TIMED_SIDES: Final = (
    *DATABASE_SIDES,
    Hit("kafka.offset_commit#1:before", CLEAN, sure=False),
    Hit("kafka.offset_commit#1:after", CLEAN, sure=False),
)
ONCE_PER_ID: Final = replace(
    CLICKS_PER_LINK,
    expected="select value->>'code' as code, count(distinct value->>'id') from events group by 1",
)

INNOCENTS: Final = (
    Planted(
        "source-duplicate",
        "offset_with_result.py",
        ONCE,
        DATABASE_SIDES,
        schema=SAMPLE["offset-with-result"].schema,
        events={"source-duplicate": with_duplicate("source-duplicate")},
        duplicates=1,
        position=SAMPLE["offset-with-result"].position,
    ),
    Planted(
        "source-duplicate-by-id",
        "message_id.py",
        ONCE,
        BOTH_SIDES,
        schema=COUNTS + PROCESSED,
        check=ONCE_PER_ID,
        events={"source-duplicate-by-id": with_duplicate("source-duplicate-by-id")},
        duplicates=1,
    ),
    Planted(
        "offset-in-postgres",
        "offset_with_result.py",
        ONCE,
        DATABASE_SIDES,
        schema=SAMPLE["offset-with-result"].schema,
        position=SAMPLE["offset-with-result"].position,
    ),
    Planted(
        "offset-in-postgres-untold",
        "offset_with_result.py",
        ONCE,
        DATABASE_SIDES,
        schema=SAMPLE["offset-with-result"].schema,
    ),
    Planted("message-id", "message_id.py", ONCE, BOTH_SIDES, schema=COUNTS + PROCESSED),
    Planted(
        "set-state",
        "set_state.py",
        ONCE,
        BOTH_SIDES,
        schema=SAMPLE["set-state"].schema,
        check=Check(
            SAMPLE["set-state"].check.name,
            SAMPLE["set-state"].check.expected,
            SAMPLE["set-state"].check.actual,
        ),
    ),
    Planted("assigns-itself", "assigns_itself.py", ONCE, BOTH_SIDES, schema=COUNTS + PROCESSED),
    Planted("exits-when-idle", "exits_when_idle.py", ONCE, BOTH_SIDES, schema=COUNTS + PROCESSED),
    Planted(
        "message-id-timer",
        "message_id_timer.py",
        ONCE,
        # What was stored by then may be saved while the work is held: it is done.
        (*TIMED_SIDES, Hit("postgres.commit#2:before", Outcome.CLEAN, "overtake")),
        schema=COUNTS + PROCESSED,
    ),
    Planted(
        "filters-half",
        "filters_half.py",
        ONCE,
        BOTH_SIDES,
        schema=COUNTS + PROCESSED,
        check=replace(
            CLICKS_PER_LINK,
            expected="select value->>'code' as code, count(*) from events"
            " where value->>'status' = 'active' group by 1",
        ),
    ),
    Planted(
        "aborted-transactions",
        "message_id.py",
        ONCE,
        BOTH_SIDES,
        schema=COUNTS + PROCESSED,
        produce="../../tests/quality/consumers/produce_in_transactions.py",
    ),
    Planted(
        "aborted-transactions-offset",
        "offset_with_result.py",
        ONCE,
        DATABASE_SIDES,
        schema=SAMPLE["offset-with-result"].schema,
        produce="../../tests/quality/consumers/produce_in_transactions.py",
        position=SAMPLE["offset-with-result"].position,
    ),
)
