"""Whether a target that looks done holds rows in memory: asked to stop, it may write them yet.

Counterpart: `run` asks at the end of the first clean run, after its audit, and only where rows and
records do not go together. What is seen meanwhile belongs to no moment.
"""

from collections.abc import Iterable

from killpoint.faults.events import Event, RecordsFetched, WriteAsked
from killpoint.faults.progress import Life
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch

PARTING_SECONDS = 3.0
"""How long a target may take to write what it holds."""
UNNAMED = "a table"


def may_hold_rows(life: Life) -> bool:
    """Whether some records may have had no row yet: those written are not as many for each."""
    return life.rows > 0 and life.fetched_records > 0 and life.rows % life.fetched_records != 0


async def held_tables(stage: Stage, watch: Watch) -> tuple[str, ...]:
    """Ask the target to stop; the tables that it still writes what came of records to.

    Afterwards it has ended. Tables that it wrote to at its start alone, such as a lease, do not
    count.
    """
    before = [*watch.history.events()]
    watch.note("asked to stop, to see whether it holds rows")
    await stage.target.terminate(min(PARTING_SECONDS, stage.patience.stop_seconds))
    await stage.connections_ended()
    after = [*watch.history.events()][len(before) :]
    fetched = next((i for i, event in enumerate(before) if isinstance(event, RecordsFetched)), 0)
    usual = _written(before[fetched:])
    return tuple(sorted(_written(after) & (usual | {UNNAMED})))


def _written(events: Iterable[Event]) -> set[str]:
    asked = (event for event in events if isinstance(event, WriteAsked))
    return {table for event in asked for table in event.tables or (UNNAMED,)}
